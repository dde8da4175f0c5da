import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { searchPlaces } from '../../search/search-places.ts';
import { metresTo } from '../../search/query/geo-cells.ts';
import type { NamedPlace } from '../question/names/mentions.ts';
import type { Question } from '../question/read-question.ts';
import type { Candidate } from './candidate.ts';
import { constraintsOf, type Constraints, type Relaxed } from './constraints.ts';
import { isOfKind, keepsDiets } from './find-candidates.ts';
import type { Retrieved } from './retrieve.ts';

const TRIES = 10;

/** The place that was asked for by name; wishes that it does not fulfil count as given up. */
export function namedRetrieved(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  { place_id, name }: NamedPlace,
): Retrieved {
  const wanted = constraintsOf(question, destination);
  const found = searchPlaces(deps, { destination, text: name, limit: TRIES });
  const at = found.hits.findIndex(({ place }) => place.placeId === place_id);
  const hit = found.hits[at];
  const card = found.cards()[at];
  if (hit === undefined || card === undefined)
    return { candidates: [], relaxed: [], dishKnown: false, wanted, around: false };
  const { near } = wanted;
  const metres = near && metresTo(near, hit.place.point);
  const candidate = { hit, card, metres };
  const relaxed = missedBy(candidate, wanted);
  return { candidates: [candidate], relaxed, dishKnown: false, wanted, around: false };
}

/** Whether it is open is said in any case. */
function missedBy({ card, hit, metres = 0 }: Candidate, wanted: Constraints): Relaxed[] {
  const { categories, cuisines, diets, areas, prices, near } = wanted;
  const lacks = (kinds: readonly string[]) =>
    kinds.length > 0 && !kinds.some((kind) => isOfKind(hit, card, kind));
  const missed: Readonly<Partial<Record<Relaxed, boolean>>> = {
    category: lacks(categories),
    cuisine: lacks(cuisines),
    diet: !keepsDiets(card, hit.place.facts ?? {}, diets),
    area: areas.length > 0 && !areas.some((area) => area === card.area || hit.isIn(area)),
    price: prices.length > 0 && !prices.includes(card.price_range ?? ''),
    near: near !== undefined && metres > near.radiusM,
  };
  return (Object.keys(missed) as Relaxed[]).filter((name) => missed[name] === true);
}
