import { gzipSync } from 'node:zlib';

interface Written {
  create?: string[];
  modify?: string[];
  delete?: string[];
}

const stamp = (day: string) => `version="2" timestamp="${day}T00:00:00Z"`;

function tagsText(tags: Record<string, string>): string {
  return Object.entries(tags)
    .map(([key, value]) => `<tag k="${key}" v="${value}"/>`)
    .join('');
}

/** A node in a change file. */
export function nodeText(
  id: number,
  [lat, lng]: readonly [number, number],
  tags: Record<string, string> = {},
  day = '2025-01-02',
): string {
  return `<node id="${id}" ${stamp(day)} lat="${lat}" lon="${lng}">${tagsText(tags)}</node>`;
}

export function wayText(id: number, refs: number[], tags: Record<string, string> = {}): string {
  const nodes = refs.map((ref) => `<nd ref="${ref}"/>`).join('');
  return `<way id="${id}" ${stamp('2025-01-02')}>${nodes}${tagsText(tags)}</way>`;
}

/** An OSM change file. */
export function changeText(changes: Written): Buffer {
  const actions = Object.entries(changes).map(
    ([action, objects]) => `<${action}>${(objects as string[]).join('\n')}</${action}>`,
  );
  return gzipSync(
    `<?xml version="1.0" encoding="UTF-8"?>\n<osmChange version="0.6">${actions.join('')}</osmChange>`,
  );
}
