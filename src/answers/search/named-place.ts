import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { searchPlaces } from '../../search/search-places.ts';
import { metresTo } from '../../search/query/geo-cells.ts';
import type { NamedPlace } from '../../search/understand/question/names/mentions.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { AnswerCandidate } from './candidate.ts';
import type { Relaxed } from '../answer-sets.ts';
import { constraintsOf, type Constraints } from './constraints.ts';
import { isOfKind, keepsDiets } from './find-candidates.ts';
import type { Retrieved } from './retrieve.ts';

const TRIES = 10;

/** Returns the place that the question names. Wishes that it does not satisfy count as relaxed. */
export function namedRetrieved(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  { place_id, name }: NamedPlace,
): Retrieved {
  const constraints = constraintsOf(question, destination);
  const result = searchPlaces(deps, { destination, text: name, limit: TRIES });
  const at = result.hits.findIndex(({ place }) => place.placeId === place_id);
  const hit = result.hits[at];
  const card = result.cards()[at];
  if (hit === undefined || card === undefined)
    return { candidates: [], relaxed: [], dishKnown: false, constraints, around: false };
  const { near } = constraints;
  const metres = near && metresTo(near, hit.place.point);
  const candidate = { hit, card, metres };
  const relaxed = missedBy(candidate, constraints);
  return { candidates: [candidate], relaxed, dishKnown: false, constraints, around: false };
}

/** Returns the constraints that a place misses, except opening hours, which the answer always states. */
function missedBy({ card, hit, metres = 0 }: AnswerCandidate, constraints: Constraints): Relaxed[] {
  const { categories, cuisines, diets, areas, prices, near } = constraints;
  const lacks = (kinds: readonly string[]) =>
    kinds.length > 0 && !kinds.some((kind) => isOfKind(hit, card, kind));
  const misses: Readonly<Partial<Record<Relaxed, boolean>>> = {
    category: lacks(categories),
    cuisine: lacks(cuisines),
    diet: !keepsDiets(card, hit.place.facts ?? {}, diets),
    area: areas.length > 0 && !areas.some((area) => area === card.area || hit.isIn(area)),
    price: prices.length > 0 && !prices.includes(card.price_range ?? ''),
    near: near !== undefined && metres > near.radiusM,
  };
  return (Object.keys(misses) as Relaxed[]).filter((name) => misses[name] === true);
}
