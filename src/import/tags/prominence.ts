import type { Facts } from '../../directory/place/facts.ts';
import type { CategoryMatch, Tags } from '../categories.ts';
import { METRES_PER_DEGREE, type BoundingBox } from '../../core/geo.ts';
import type { Vertical } from '../verticals.ts';

/**
 * Interest of a kind for a visitor who did not search for it: `points:kinds`. Kinds that are not listed have the points
 * of their vertical.
 */
const KIND_POINTS = points([
  '25:museum castle palace zoo aquarium theme_park national_park beach',
  '22:attraction waterfall cave volcano geyser fortress fort archaeological_site cable_car gondola',
  '18:viewpoint monastery city_walls city_gate aqueduct lighthouse ruins nature_reserve water_park market reef',
  '15:gallery monument tower tomb planetarium observatory wreck arch square ski_resort arts_centre theatre glacier',
  '12:park garden manor ship battlefield concert_hall music_venue winery casino lake bay cape bridge rune_stone',
  '10:place_of_worship church public_bath spa marina stadium distillery windmill watermill pier canyon gorge townhall library',
  '7:peak mountain_pass cemetery fountain mall department_store golf_course dive_site bird_hide reservoir',
  '4:memorial artwork wayside_cross wayside_shrine miniature_golf bowling_alley escape_game amusement_arcade picnic_site',
  '0:fuel bank atm police post_office pharmacy toilets currency_exchange money_transfer laundry car_rental car_sharing',
]);
const VERTICAL_POINTS: Readonly<Record<Vertical, number>> = {
  ...{
    attraction: 14,
    beach: 25,
    market: 18,
    restaurant: 14,
    bar: 11,
    cafe: 10,
    nightclub: 9,
    spa: 12,
    event: 10,
  },
  ...{ hotel: 12, hostel: 9, guesthouse: 9, boat: 9, tour: 8, shop: 4, transport: 3, other: 2 },
  ...{ massage: 3, gym: 2, salon: 0, clinic: 0, taxi: 0 },
};
/** Weight of all other points: a bank in a listed building is still a bank. */
const VERTICAL_WEIGHT: Readonly<Record<Vertical, number>> = {
  ...{
    attraction: 1,
    beach: 1,
    market: 1,
    restaurant: 1,
    bar: 1,
    cafe: 1,
    nightclub: 0.8,
    spa: 0.8,
    event: 0.9,
  },
  ...{
    hotel: 0.7,
    hostel: 0.6,
    guesthouse: 0.6,
    boat: 0.7,
    tour: 0.7,
    shop: 0.4,
    transport: 0.3,
    other: 0.4,
  },
  ...{ massage: 0.3, gym: 0.3, salon: 0.1, clinic: 0.1, taxi: 0.1 },
};
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
    ...categories.map((category) => KIND_POINTS.get(category) ?? VERTICAL_POINTS[vertical]),
  );
  const chain = known.facts.brand_wikidata !== undefined && CHAINS.has(vertical) ? 6 : 0;
  const details = fame(known) + size(known) + distinction(known) + completeness(known);
  const weight = kind === 0 ? 0.1 : VERTICAL_WEIGHT[vertical];
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

/** Points for detailed map data, because places that mappers look after are often popular. */
function completeness({ facts, contacts }: ProminenceInput): number {
  const factCount = Object.keys(facts).length;
  return contacts * 1.5 + Math.min(4, factCount / 2) + (facts.description === undefined ? 0 : 1);
}

function points(lines: readonly string[]): Map<string, number> {
  return new Map(
    lines.flatMap((line) => {
      const [value = '', kinds = ''] = line.split(':');
      return kinds.split(' ').map((kind) => [kind, Number(value)] as const);
    }),
  );
}
