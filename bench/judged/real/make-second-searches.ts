import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpeningHours from 'opening_hours';
import { type Extract, EXTRACTS, extractFile, metresBetween, namesOf, ZONES } from '../map-objects.ts';
import type { RealSearch } from './score-real.ts';

// Turns second-searches.tsv into second-searches.json: the objects of the map that answer each search, found with osmium
// and the tags alone, without any code of the service. Run by hand when the list changes:
//   node bench/judged/real/make-second-searches.ts
// Columns: extract, kind, language, text, what (conditions on tags: `;` or, `&` and), where, and the city as it is typed.
const run = promisify(execFile);
const FOLDER = import.meta.dirname;

interface Thing {
  ref: string;
  tags: Record<string, string>;
  line: Point[];
  lat: number;
  lng: number;
}

interface Point {
  lat: number;
  lng: number;
}

const NEAR_M = 1000;
/** The first answer may be this much farther than the nearest: entrances and centres are drawn differently. */
const SLACK = { share: 1.5, metres: 120 };
const DAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const KINDS = 'amenity tourism shop leisure historic healthcare natural craft aeroway railway man_made'.split(
  ' ',
);
const KEPT_WITHOUT_NAME =
  /^(toilets|atm|fuel|parking|charging_station|drinking_water|viewpoint|playground|picnic_site|pharmacy|picnic_table)$/;

async function readThings(extract: Extract): Promise<Thing[]> {
  const file = join(tmpdir(), `second-searches-${extract}.seq`);
  const options = ['-O', '-f', 'geojsonseq', '-x', 'print_record_separator=false', '--add-unique-id=type_id'];
  await run('osmium', ['export', ...options, '-o', file, extractFile(extract)]);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const things = new Map<string, Thing>();
  for (const line of lines) {
    const { id, properties, geometry } = JSON.parse(line) as {
      id: string;
      properties: Record<string, string>;
      geometry: { coordinates: unknown };
    };
    const number = Number(id.slice(1));
    const area = number % 2 === 0 ? `w${number / 2}` : `r${(number - 1) / 2}`;
    const points = pointsIn(geometry.coordinates);
    const middle = (of: (point: Point) => number) =>
      points.reduce((sum, point) => sum + of(point), 0) / points.length;
    const ref = id.startsWith('a') ? area : id;
    const thing = {
      ...{ ref, tags: properties, line: points },
      ...{ lat: middle(({ lat }) => lat), lng: middle(({ lng }) => lng) },
    };
    if (id.startsWith('a') || !things.has(ref)) things.set(ref, thing);
  }
  return [...things.values()];
}

function pointsIn(coordinates: unknown): Point[] {
  if (!Array.isArray(coordinates)) return [];
  const [first, second] = coordinates as unknown[];
  if (typeof first === 'number' && typeof second === 'number') return [{ lat: second, lng: first }];
  return coordinates.flatMap(pointsIn);
}

/** A thing that a traveller can go to: boards, entrances and what was closed are not. */
function isPlace({ tags }: Thing): boolean {
  const kinds = KINDS.flatMap((key) => tags[key] ?? []);
  if (kinds.length === 0 || tags['tourism'] === 'information') return false;
  if (tags['access'] === 'private' || tags['access'] === 'no') return false;
  return tags['name'] !== undefined || kinds.some((kind) => KEPT_WITHOUT_NAME.test(kind));
}

function fits(thing: Thing, what: string): boolean {
  return what.split(';').some((one) => one.split(' & ').every((condition) => fitsOne(thing, condition)));
}

function fitsOne(thing: Thing, condition: string): boolean {
  const [, key = '', sign = '', value = ''] = /^([a-z:_]+)([=~])(.*)$/.exec(condition) ?? [];
  if (sign === '~' && key === 'name') return namesOf(thing).some((name) => new RegExp(value, 'i').test(name));
  const tag = thing.tags[key];
  if (tag === undefined) return false;
  const values = tag.split(';').map((one) => one.trim());
  return values.some((one) => value.split(',').some((v) => (sign === '=' ? one === v : one.includes(v))));
}

/** All corners of the things that are meant: references, names (@) or the crossing of two streets (@A+@B). */
function pointsOf(things: readonly Thing[], text: string): Point[] {
  const [one = '', other] = text.split('+');
  if (other === undefined) {
    const found = text
      .split(',')
      .flatMap((name) =>
        name.startsWith('@')
          ? things.filter(({ tags }) => tags['name'] === name.slice(1))
          : things.filter(({ ref }) => ref === name),
      );
    if (found.length === 0) throw new Error(`There is no ${text}.`);
    return found.flatMap(({ line, lat, lng }) => [...line, { lat, lng }]);
  }
  const [first, second] = [pointsOf(things, one), pointsOf(things, other)];
  const pairs = first.flatMap((a) => second.map((b) => ({ a, metres: metresBetween(a, b) })));
  return [pairs.reduce((best, pair) => (pair.metres < best.metres ? pair : best)).a];
}

function isOpenAt(extract: Extract, { tags, lat, lng }: Thing, text: string): boolean | undefined {
  const value = tags['opening_hours'];
  if (value === undefined) return undefined;
  const [day = '', time = ''] = text.split(' ');
  // The first days of June 2026: no holidays in any of the countries.
  const date = new Date(`2026-06-${String(14 + DAYS.indexOf(day)).padStart(2, '0')}T${time}:00`);
  if (time < '05:00') date.setDate(date.getDate() + 1);
  try {
    const place = { lat, lon: lng, address: { country_code: ZONES[extract].country, state: '' } };
    return new OpeningHours(value, place).getState(date);
  } catch {
    return undefined;
  }
}

function searchOf(row: string, at: number, things: readonly Thing[]): RealSearch {
  const [extract = '', kind = '', lang = '', q = '', what = '', where = '', city] = row.split('\t');
  const search = { id: `second-${String(at + 1).padStart(3, '0')}`, extract: extract as Extract, kind, lang };
  const text = city === undefined ? { q } : { q, city: city.replace('city=', '') };
  const isRefs = /^([nwr]\d+|@)/.test(what);
  const named = isRefs
    ? things.filter(({ ref, tags }) =>
        what
          .split(/ (?=[nwr]\d|@)/)
          .some((one) => (one.startsWith('@') ? tags['name'] === one.slice(1) : ref === one)),
      )
    : things.filter((thing) => isPlace(thing) && fits(thing, what));
  if (named.length === 0) throw new Error(`Nothing answers ${q}.`);
  const refs = (of: readonly Thing[]) => of.map(({ ref }) => ref).sort();
  const [how = '', ...rest] = where.split(/[= ]/);
  const at_ = where.slice(how.length + 1);
  if (how === 'near') {
    const points = pointsOf(things, at_);
    const ranked = named
      .map((thing) => ({ thing, metres: Math.min(...points.map((point) => metresBetween(point, thing))) }))
      .sort((a, b) => a.metres - b.metres);
    const nearest = ranked[0]?.metres ?? 0;
    const within = (metres: number) =>
      refs(ranked.filter((one) => one.metres <= metres).map(({ thing }) => thing));
    return {
      ...search,
      ...text,
      rule: 'near',
      expected: within(Math.max(NEAR_M, nearest * SLACK.share)),
      ok_first: within(nearest * SLACK.share + SLACK.metres),
    };
  }
  if (how === 'open') {
    const states = named.map((thing) => [thing, isOpenAt(search.extract, thing, at_)] as const);
    const unknown = states.filter(([, open]) => open === undefined).map(([thing]) => thing);
    const open = states.filter(([, one]) => one === true).map(([thing]) => thing);
    if (open.length === 0) throw new Error(`Nothing is open for ${q}.`);
    return { ...search, ...text, rule: 'any', expected: refs(open), unknown: refs(unknown) };
  }
  if (how !== 'within')
    return { ...search, ...text, rule: how === 'exact' ? 'exact' : 'any', expected: refs(named) };
  const metres = Number(rest.at(-1));
  const middles = middlesOf(things, at_.slice(0, at_.lastIndexOf(' ')));
  const inside = named.filter((thing) => middles.some((point) => metresBetween(point, thing) <= metres));
  if (inside.length === 0) throw new Error(`Nothing answers ${q}.`);
  return { ...search, ...text, rule: 'any', expected: refs(inside) };
}

/** The nodes by which the map names a town or quarter, or a point. */
function middlesOf(things: readonly Thing[], text: string): Point[] {
  const [lat, lng] = text.split(',').map(Number);
  if (lat !== undefined && lng !== undefined) return [{ lat, lng }];
  const found = things.filter(({ tags }) => tags['name'] === text.slice(1) && tags['place'] !== undefined);
  const stations = things.filter(
    ({ tags }) => tags['name'] === text.slice(1) && tags['railway'] !== undefined,
  );
  const middles = found.length > 0 ? found : stations;
  if (middles.length === 0) throw new Error(`There is no ${text}.`);
  return middles;
}

const rows = (await readFile(join(FOLDER, 'second-searches.tsv'), 'utf8')).trimEnd().split('\n');
const maps = new Map<string, Thing[]>();
for (const extract of EXTRACTS) maps.set(extract, await readThings(extract));
const searches: RealSearch[] = [];
for (const [at, row] of rows.entries()) {
  try {
    searches.push(searchOf(row, at, maps.get(row.split('\t')[0] ?? '') ?? []));
  } catch (thrown) {
    process.stdout.write(`${String(thrown)}   ${row}\n`);
    process.exitCode = 1;
  }
}
const lines = searches.map((search) => JSON.stringify(search));
await writeFile(join(FOLDER, 'second-searches.json'), `[\n${lines.join(',\n')}\n]\n`);
