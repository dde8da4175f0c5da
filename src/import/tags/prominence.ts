import type { Facts } from '../../directory/place/facts.ts';
import type { CategoryMatch, Tags } from '../categories.ts';
import type { Vertical } from '../verticals.ts';
import table from './prominence.json' with { type: 'json' };

/** Points by kind, for its general interest to travellers. Other kinds get the points of their vertical. */
const KIND_POINTS = readKinds(table.kindPoints);
/** Weight of all other points, by kind, so that an old cemetery is no first sight. Others have that of their vertical. */
const KIND_WEIGHTS = readKinds(table.kindWeights);
const VERTICALS: Readonly<Record<Vertical, { points: number; weight: number }>> = table.verticals;

function readKinds(kindsByNumber: Readonly<Record<string, string>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(kindsByNumber).flatMap(([number, kinds]) =>
      kinds.split(' ').map((kind) => [kind, Number(number)] as const),
    ),
  );
}

/** Returns the points of a kind for its general interest to travellers. */
export function kindPoints(vertical: Vertical, kind: string): number {
  return KIND_POINTS.get(kind) ?? VERTICALS[vertical].points;
}

const CHAINS = new Set<Vertical>(['restaurant', 'cafe', 'bar', 'shop']);

interface ProminenceInput {
  match: CategoryMatch;
  tags: Tags;
  facts: Facts;
  /** Number of languages in which it has a name. */
  languages: number;
  awards: number;
  /** Number of known contacts among website, phone and hours. */
  contacts: number;
  /** Area of its outline; null when the map has only a point. */
  squareMetres: number | null;
}

/** Returns how much there is to see, 0 to 100, from map data. Opinions are not included; ratings are separate. */
export function readProminence(known: ProminenceInput): number {
  const { vertical, categories } = known.match;
  const points = categories.map((category) => kindPoints(vertical, category));
  const kind = Math.max(...points);
  const main = categories[points.indexOf(kind)] ?? '';
  const chain = known.facts.brand_wikidata !== undefined && CHAINS.has(vertical) ? 10 : 0;
  // Places with carefully maintained map data are often popular.
  const factCount = Object.keys(known.facts).length;
  const careful =
    known.contacts * 1.5 + Math.min(4, factCount / 2) + (known.facts.description === undefined ? 0 : 1);
  const details = fame(known) + size(known) + distinction(known) + careful;
  const weight = kind === 0 ? 0.1 : (KIND_WEIGHTS.get(main) ?? VERTICALS[vertical].weight);
  return Math.max(0, Math.min(100, Math.round(kind + weight * details - chain)));
}

const LANGUAGES_POINTS_MAX = 28;
const WIDELY_NAMED = 3;

/** Points for articles about it, the number of languages, and protection as heritage. */
function fame(known: ProminenceInput): number {
  const { tags, facts, languages } = known;
  const isArticle = facts.wikipedia !== undefined || hasArticle(tags);
  const references = (isArticle ? 12 : 0) + (facts.wikidata === undefined ? 0 : 8);
  const picture = facts.image !== undefined || tags.has('wikimedia_commons') ? 3 : 0;
  // The first languages are those of the country; each doubling beyond them adds the same.
  const names = Math.min(LANGUAGES_POINTS_MAX, 6 * Math.log2(1 + languages / 2));
  const isLocal = languages < WIDELY_NAMED && facts.heritage === undefined && isOneOfMany(known);
  return references * (isLocal ? 0.5 : 1) + picture + names + heritage(tags, facts);
}

/** Matches tags of articles about the place itself, unlike those about its brand, operator, architect or subject. */
const OWN_ARTICLE =
  /^(?:wikipedia:[a-z]{2,3}(?:-[a-z]+)*|(?:building|site|heritage|historic|tourism|whc):wikipedia)$/;

function hasArticle(tags: Tags): boolean {
  return tags.keys().some((key) => OWN_ARTICLE.test(key));
}

/** Level 1 is world heritage, 2 national, higher levels regional or local. */
function heritage(tags: Tags, { heritage: level }: Facts): number {
  if (tags.keys().some((key) => key === 'whc' || key === 'ref:whc' || key.startsWith('whc:'))) return 20;
  if (level === undefined) return 0;
  return level === '1' ? 20 : level === '2' ? 10 : 5;
}

/** Points for areas from one hectare to a hundred square kilometres. */
function size({ squareMetres }: ProminenceInput): number {
  if (squareMetres === null) return 0;
  return Math.max(0, Math.min(8, 2 * (Math.log10(squareMetres + 1) - 4)));
}

function distinction({ match, facts, tags, awards }: ProminenceInput): number {
  const stars = Math.max(0, (facts.stars ?? 0) - 3) * 5;
  const seats = Math.max(
    0,
    Math.min(6, 2 * (Math.log10((facts.capacity ?? 0) + (facts.rooms ?? 0) * 2 + 1) - 2)),
  );
  const cathedral = isGreatChurch(tags);
  // A church or a bridge that mappers mark as an attraction too is worth a visit.
  const marked = match.categories.length > 1 && match.categories.includes('attraction') ? 5 : 0;
  return stars + seats + (cathedral ? 14 : 0) + marked + Math.min(16, awards * 8);
}

/** In some countries each village church, peak and mountain lake has an article. */
const ONE_OF_MANY = new Set(['place_of_worship', 'peak', 'mountain_pass', 'lake', 'reservoir', 'alpine_hut']);

function isOneOfMany({ match: { categories }, tags }: ProminenceInput): boolean {
  return !isGreatChurch(tags) && categories.some((kind) => ONE_OF_MANY.has(kind));
}

function isGreatChurch(tags: Tags): boolean {
  return ['building', 'church:type', 'church'].some((key) => GREAT_CHURCH.test(tags.get(key) ?? ''));
}

const GREAT_CHURCH = /^(?:co-?)?(?:cathedral|basilica)$/;
