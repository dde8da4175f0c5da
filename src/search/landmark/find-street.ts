import { fold, wordsIn } from '../../core/text/fold.ts';
import { metresBetween, type Point } from '../../core/geo.ts';
import { all, spotsOf } from '../query/expression.ts';
import { term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isIn } from '../understand/part.ts';
import type { Landmark } from './landmark.ts';

const CORNER =
  /^(?:the |la |der |die |l )?(?:corner|intersection|junction|crossing|esquina|angle|coin|ecke|angolo|esquina|hoek|cruce|kreuzung|incrocio) (?:of |de |del |von |di |da |van |tra |entre |zwischen )?(.+)$/;
const STREETS = / (?:and|und|y|et|e|con|with|en|at|x|mit|ja|och|og|dan) /;

const STREET_PLACES = 200;
/** Addresses of a street whose middle is its point. */
const POINTS_MAX = 64;

/** Finds a street by the addresses of its places; its point is that of the place in the middle. */
export function findStreet(index: OpenIndex, scope: number, form: string): Landmark | undefined {
  const points = streetPoints(index, scope, form);
  const middle = middleOf(points.map(({ point }) => point).slice(0, POINTS_MAX));
  if (middle === undefined) return undefined;
  return { name: points[0]?.street ?? form, ...middle };
}

function streetPoints(index: OpenIndex, scope: number, form: string): { point: Point; street: string }[] {
  const words = wordsIn(form);
  if (words.length === 0 || words.join('').length < 4) return [];
  if (!words.every((word) => isIn(index, scope, term('s', word)))) return [];
  const expression = all(words.map((word) => term('s', word)));
  const found: { point: Point; street: string }[] = [];
  let read = 0;
  for (const spot of expression === undefined ? [] : spotsOf(index, expression, scope, -1)) {
    if (++read > STREET_PLACES) break;
    const place = index.place(spot);
    const address = place?.described.address;
    if (place?.point == null || address == null || !` ${fold(address)} `.includes(` ${form} `)) continue;
    found.push({ point: place.point, street: streetOf(address, form) });
  }
  return found;
}

/** The part of an address that has the street, without its number. */
function streetOf(address: string, form: string): string {
  const part = address.split(',').find((one) => ` ${fold(one)} `.includes(` ${form} `)) ?? address;
  return part.replace(/^\s*\d+\S*\s+|\s+\d+\S*\s*$/g, '').trim();
}

const CORNER_M = 300;

/** Finds the corner of two streets: the point between the two nearest addresses of both. */
export function findCorner(index: OpenIndex, scope: number, phrase: string): Landmark | undefined {
  const named = CORNER.exec(phrase)?.[1] ?? phrase;
  const [one = '', other = '', ...more] = named.split(STREETS);
  if (other === '' || more.length > 0) return undefined;
  const [first, second] = [streetPoints(index, scope, one), streetPoints(index, scope, other)];
  let nearest: { metres: number; at: Point; name: string } | undefined;
  for (const a of first)
    for (const b of second) {
      const metres = metresBetween(a.point, b.point);
      if (metres > CORNER_M || metres >= (nearest?.metres ?? Infinity)) continue;
      const at = { lat: (a.point.lat + b.point.lat) / 2, lng: (a.point.lng + b.point.lng) / 2 };
      nearest = { metres, at, name: `${a.street} / ${b.street}` };
    }
  return nearest === undefined ? undefined : { name: nearest.name, ...nearest.at };
}

/** The point with the smallest sum of distances to the others: always on the map, also across the date line. */
export function middleOf(points: readonly Point[]): Point | undefined {
  const sums = points.map((one) => points.reduce((sum, other) => sum + metresBetween(one, other), 0));
  return points[sums.indexOf(Math.min(...sums))];
}
