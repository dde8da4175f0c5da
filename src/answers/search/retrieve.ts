import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { AnswerCandidate } from './candidate.ts';
import type { Relaxed } from '../answer-sets.ts';
import {
  activeOf,
  constraintsOf,
  relaxConstraints,
  type Constraints,
  type SearchCircle,
} from './constraints.ts';
import { areaMiddle, findCandidates } from './find-candidates.ts';

export interface Retrieved {
  candidates: AnswerCandidate[];
  relaxed: Relaxed[];
  /** True when the places are recorded for the dish itself. */
  dishKnown: boolean;
  /** Constraints before relaxation. */
  constraints: Constraints;
  /** True when the area is only a point on the map and none of the places is certainly inside it. */
  around: boolean;
}

/** Radius for "near" an area, and radius when nothing is found there. */
const AROUND_M = 3_000;
const FAR_M = 25_000;

/** Cost of relaxing a constraint. Pizza in another area is a better substitute for pizza here than noodles here. */
const COSTS: Readonly<Record<Relaxed, number>> = {
  rating: 0.5,
  price: 1,
  area: 2,
  near: 2,
  diet: 5,
  time: 5,
  cuisine: 9,
  category: 10,
};

/** Cost limit before wishes are dropped: a wish justifies a trip across town, but not another cuisine. */
const WISH_COST = 4;

/** A question that places are searched for. */
interface Retrieval {
  deps: OperationDeps;
  destination: Destination;
  question: Question;
  /** Areas that are points on the map, without a boundary. */
  points: ReadonlyMap<string, SearchCircle>;
}

/** Searches for the question. When nothing matches, relaxes constraints one by one and reports them. */
export function retrieve(retrieval: Retrieval): Retrieved {
  const { areas, nearArea } = retrieval.question;
  const retrieved = retrieveAny(retrieval);
  const keepsArea = areas.length > 0 && !nearArea && !retrieved.relaxed.includes('area');
  return {
    ...retrieved,
    around: keepsArea && retrieved.candidates.length > 0 && !someInside(retrieved.candidates, areas),
  };
}

function someInside(candidates: readonly AnswerCandidate[], areas: readonly string[]): boolean {
  return candidates.some(({ hit }) => areas.some((area) => hit.isIn(area)));
}

type RetrievedPlaces = Omit<Retrieved, 'around'>;

function retrieveAny(retrieval: Retrieval): RetrievedPlaces {
  const { categories, cuisines, dishes, diets, areas } = retrieval.question;
  const constraints = constraintsOf(retrieval.question, retrieval.destination);
  if (constraints.wishes.length === 0) return search(retrieval, constraints);
  const confirmed = search(retrieval, constraints, WISH_COST);
  const hasOtherSubject = [categories, cuisines, dishes, diets, areas].some((list) => list.length > 0);
  if (confirmed.candidates.length > 0 || !hasOtherSubject) return confirmed;
  // No matching place is recorded to satisfy the wishes, so fall back to those that are not recorded to contradict
  // them.
  return search(retrieval, { ...constraints, wishes: [] });
}

/** Searches with relaxation, up to but not including the given cost. */
function search(retrieval: Retrieval, constraints: Constraints, costMax = Infinity): RetrievedPlaces {
  const { areas } = retrieval.question;
  const withDish = findDish(retrieval, constraints);
  if (withDish.length > 0) return { candidates: withDish, relaxed: [], dishKnown: true, constraints };
  for (const relaxed of relaxations(activeOf(constraints))) {
    if (costOf(relaxed) >= costMax) break;
    const candidates = attempt(retrieval, constraints, relaxed);
    if (candidates.length === 0) continue;
    // The area is not reported as relaxed when one of the places is inside it after all.
    const isMet = (one: Relaxed) => one === 'area' && someInside(candidates, areas);
    return { candidates, relaxed: relaxed.filter((one) => !isMet(one)), dishKnown: false, constraints };
  }
  return { candidates: [], relaxed: [], dishKnown: false, constraints };
}

function costOf(choice: readonly Relaxed[]): number {
  return choice.reduce((sum, one) => sum + COSTS[one], 0);
}

/** Returns every combination of constraints to relax, cheapest first, beginning with none. */
function relaxations(active: readonly Relaxed[]): Relaxed[][] {
  const choices: Relaxed[][] = [[]];
  for (const one of active) choices.push(...choices.map((choice) => [...choice, one]));
  return choices.sort((a, b) => costOf(a) - costOf(b) || a.length - b.length);
}

/** Searches for the dish itself, because some maps record a dish as a cuisine. */
function findDish({ deps, destination, question }: Retrieval, constraints: Constraints): AnswerCandidate[] {
  const { dishes } = question;
  if (dishes.length === 0 || constraints.apart !== undefined) return [];
  return findCandidates(deps, destination, { ...constraints, categories: dishes, cuisines: [] });
}

function attempt(
  retrieval: Retrieval,
  constraints: Constraints,
  relaxed: readonly Relaxed[],
): AnswerCandidate[] {
  const { openAt } = constraints;
  const remaining = relaxConstraints(constraints, new Set(relaxed));
  const places = findAround(retrieval, remaining, relaxed);
  if (openAt === undefined) return places;
  if (!relaxed.includes('time')) {
    if (places.length > 0) return places;
    // None is known to be open, so those are used that are open by hours too old to be verified.
    const likely = findAround(retrieval, { ...remaining, openLikely: true }, relaxed);
    const known = new Set(places.map(({ card }) => card.place_id));
    const more = likely.filter(({ card }) => !known.has(card.place_id));
    return [...places, ...more.map((candidate) => ({ ...candidate, byOldHours: true }))];
  }
  // Keeps places that are not known to be closed at that time, and if possible those that are not usually closed then.
  const notClosed = places.filter(({ hit }) => hit.openAt(openAt).open !== false);
  const maybeOpen = notClosed.filter(({ hit }) => hit.openByHoursAt(openAt)?.open !== false);
  return maybeOpen.length > 0 ? maybeOpen : notClosed;
}

/** Finds places in and around an area; when the area was relaxed, the nearest ones. */
function findAround(
  retrieval: Retrieval,
  constraints: Constraints,
  relaxed: readonly Relaxed[],
): AnswerCandidate[] {
  const { deps, destination, question, points } = retrieval;
  const far = relaxed.includes('area');
  if (!far && !question.nearArea) return findInside(retrieval, constraints);
  const [area] = question.areas;
  const middle = area === undefined ? undefined : (points.get(area) ?? areaMiddle(deps, destination, area));
  if (middle === undefined) return findCandidates(deps, destination, constraints);
  const near = constraints.near ?? { ...middle, radiusM: far ? FAR_M : AROUND_M };
  const around = findCandidates(deps, destination, { ...constraints, areas: [], near });
  if (far) return around;
  const aroundIds = new Set(around.map(({ card }) => card.place_id));
  const inside = findCandidates(deps, destination, constraints);
  return [...around, ...inside.filter(({ card }) => !aroundIds.has(card.place_id))];
}

/** Finds places in the areas. For an area that is only a point without recorded places, searches within its reach. */
function findInside({ deps, destination, points }: Retrieval, constraints: Constraints): AnswerCandidate[] {
  const inside = findCandidates(deps, destination, constraints);
  if (inside.length > 0 || constraints.near !== undefined) return inside;
  return constraints.areas.flatMap((area) => {
    const near = points.get(area);
    return near === undefined ? [] : findCandidates(deps, destination, { ...constraints, areas: [], near });
  });
}
