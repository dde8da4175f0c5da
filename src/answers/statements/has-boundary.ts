import type { Ctx } from '../../core/context.ts';
import { fold } from '../../core/text/fold.ts';
import type { Destination } from '../../directory/destinations.ts';

/** Written forms of a saint in names of places, and of other words that are often abbreviated. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:st|ste|saint|sainte|san|santa|santo|sankt|sint|sveti)$/, 'saint'],
  [/^(?:mt|mount|mont|monte)$/, 'mount'],
];

/** True when the map has an area of this name, in any language or spelling, that overlaps the destination. */
export async function hasArea(
  { db }: Ctx,
  destination: Destination,
  area: string,
  { shaped }: { shaped: boolean },
): Promise<boolean> {
  const rows = await db<{ name: string; names: Record<string, string> }[]>`
    select a.name, a.names from area a join destination d on d.id = ${destination.id}
    where (a.name = ${area} or a.name = any(${destination.areas})) and (${!shaped} or a.shape is not null)
      and coalesce(a.north, a.lat) >= d.south and coalesce(a.south, a.lat) <= d.north`;
  const wanted = plainName(area);
  return rows.some(({ name, names }) =>
    [name, ...Object.values(names)].some((one) => plainName(one) === wanted),
  );
}

function plainName(name: string): string {
  return fold(name)
    .split(' ')
    .map((word) => FORMS.find(([form]) => form.test(word))?.[1] ?? word)
    .join(' ');
}
