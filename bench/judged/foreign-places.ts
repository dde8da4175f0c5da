import type { Place } from './directory.ts';
import type { Ask } from './judge.ts';

const TEXTS = 500;
const NUMBERS = 180;
const NAMES = 120;
const ADDRESSES = 100;
const TOGETHER = 8;
const FIXED =
  '24/7|7-eleven|7 eleven|route 66|1950|2 stars|3 rooms|floor 3|level -1|n° 5|#12|km 3|4x4|5G|3D|1er|2nd|AD500|MC 98000|98000|9490|00100|150-0041|+376 800 000|2026|12:30|19:30|50 %|€ 20|room 113 hotel|pizza 4|cafe 21'.split(
    '|',
  );

/** Texts with numbers in them: names and addresses of places, rooms, hours, postcodes and bare numbers. */
export function numberedTexts(places: readonly Place[]): string[] {
  const numbered = (texts: readonly (string | null)[]) =>
    [...new Set(texts)].filter((text) => text !== null).filter((text) => /\d/.test(text));
  const names = numbered(places.map(({ name }) => name));
  const texts = [
    ...FIXED,
    // A number alone, for every destination: what a name says could be taken for a destination's own number.
    ...Array.from({ length: NUMBERS }, (_, i) => String(i)),
    ...spread(names, NAMES),
    ...spread(numbered(places.map(({ address }) => address)), ADDRESSES),
    ...Array.from({ length: TEXTS }, (_, i) => `No. ${i + 1}`),
  ];
  return [...new Set(texts)].slice(0, TEXTS);
}

/** So many of them, evenly from the whole list: those of one destination stand together in it. */
function spread(items: readonly string[], count: number): string[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, i) => items[Math.floor(i * step)] ?? '');
}

export interface Strays {
  asked: number;
  /** How many places the answers held in all: a check of empty answers would prove nothing. */
  seen: number;
  strays: string[];
}

/** Every place of another destination in an answer about one: for each text, and for no text at all, page by page. */
export async function findStrays(
  places: readonly Place[],
  texts: readonly string[],
  ask: Ask,
  askForAll: (destination: string) => Promise<readonly string[]>,
): Promise<Strays> {
  const byId = new Map(places.map((place) => [place.id, place]));
  const destinations = [...new Set(places.map(({ destination }) => destination))];
  const calls = destinations.flatMap((destination) =>
    [undefined, ...texts].map((text) => ({ destination, text })),
  );
  const told: Strays = { asked: calls.length, seen: 0, strays: [] };
  const worker = async () => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      const { destination, text } = call;
      const found = await (text === undefined ? askForAll(destination) : ask(text, destination));
      told.seen += found.length;
      for (const id of found) {
        const place = byId.get(id);
        if (place?.destination === destination) continue;
        const [name, other] = [place?.name ?? id, place?.destination ?? 'unknown'];
        told.strays.push(`\`${text ?? ''}\` in ${destination}: ${name} (${other})`);
      }
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  return told;
}
