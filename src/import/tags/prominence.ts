import type { Facts } from '../../directory/place/facts.ts';
import type { CategoryMatch, Tags } from '../categories.ts';
import { METRES_PER_DEGREE, type BoundingBox } from '../../core/geo.ts';
import type { Vertical } from '../verticals.ts';
import table from './prominence.json' with { type: 'json' };

/** Points by kind, for its general interest to travellers. Other kinds get the points of their vertical. */
const KIND_POINTS = new Map(
  Object.entries(table.kindPoints).flatMap(([points, kinds]) =>
    kinds.split(' ').map((kind) => [kind, Number(points)] as const),
  ),
);
/** `weight` scales all points but those of the kind, so that a bank in a listed building is no sight. */
const VERTICALS: Readonly<Record<Vertical, { points: number; weight: number }>> = table.verticals;
const CHAINS = new Set<Vertical>(['restaurant', 'cafe', 'bar', 'shop']);

export interface ProminenceInput {
  match: CategoryMatch;
  tags: Tags;
  facts: Facts;
  /** Number of languages in which it has a name. */
  languages: number;
  awards: number;
  /** Number of known contacts among website, phone and hours. */
  contacts: number;
  /** Extent of its outline; null when the map has only a point. */
  extent: BoundingBox | null;
}

/** Returns how much there is to see, 0 to 100, from map data. Opinions are not included; ratings are separate. */
export function readProminence(known: ProminenceInput): number {
  const { vertical, categories } = known.match;
  const kind = Math.max(
    ...categories.map((category) => KIND_POINTS.get(category) ?? VERTICALS[vertical].points),
  );
  const chain = known.facts.brand_wikidata !== undefined && CHAINS.has(vertical) ? 6 : 0;
  // Places with carefully maintained map data are often popular.
  const factCount = Object.keys(known.facts).length;
  const careful =
    known.contacts * 1.5 + Math.min(4, factCount / 2) + (known.facts.description === undefined ? 0 : 1);
  const details = fame(known) + size(known) + distinction(known) + careful;
  const weight = kind === 0 ? 0.1 : VERTICALS[vertical].weight;
  return Math.max(0, Math.min(100, Math.round(kind + weight * details - chain)));
}

/** Points for articles about it, the number of languages, and protection as heritage. */
function fame({ tags, facts, languages }: ProminenceInput): number {
  const article = facts.wikipedia === undefined ? 0 : 14;
  const item = facts.wikidata === undefined ? 0 : 10;
  const picture = facts.image !== undefined || tags.has('wikimedia_commons') ? 3 : 0;
  return article + item + picture + Math.min(14, languages) + heritage(tags, facts);
}

/** Level 1 is world heritage, 2 national, higher levels regional or local. */
function heritage(tags: Tags, { heritage: level }: Facts): number {
  if (level === '1' || tags.has('ref:whc')) return 25;
  if (level === undefined) return 0;
  return level === '2' ? 12 : 6;
}

/** Points for areas from one hectare to a hundred square kilometres. */
function size({ extent }: ProminenceInput): number {
  if (extent === null) return 0;
  const { west, south, east, north } = extent;
  const across = (east - west) * METRES_PER_DEGREE * Math.cos(((south + north) / 2) * (Math.PI / 180));
  const squareMetres = Math.abs(across * (north - south) * METRES_PER_DEGREE);
  return Math.max(0, Math.min(8, 2 * (Math.log10(squareMetres + 1) - 4)));
}

function distinction({ facts, tags, awards }: ProminenceInput): number {
  const stars = Math.max(0, (facts.stars ?? 0) - 3) * 5;
  const seats = Math.max(
    0,
    Math.min(6, 2 * (Math.log10((facts.capacity ?? 0) + (facts.rooms ?? 0) * 2 + 1) - 2)),
  );
  const cathedral = tags.get('building') === 'cathedral' || tags.get('church:type') === 'cathedral' ? 10 : 0;
  return stars + seats + cathedral + Math.min(16, awards * 8);
}
