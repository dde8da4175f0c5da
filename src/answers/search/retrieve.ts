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
  /** Constraints that were relaxed. */
  relaxed: Relaxed[];
  /** True when the places are recorded for the dish itself. */
  dishKnown: boolean;
  /** Constraints before relaxation. */
  constraints: Constraints;
  /** True when the area is only a point on the map and none of the places is certainly inside it. */
  around: boolean;
}

type Points = ReadonlyMap<string, SearchCircle>;

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

/** Searches for the question. When nothing matches, relaxes constraints one by one and reports them. */
export function retrieve(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  points: Points,
): Retrieved {
  const retrieved = retrieveAny(deps, destination, question, points);
  const { areas, nearArea } = question;
  const keepsArea = areas.length > 0 && !nearArea && !retrieved.relaxed.includes('area');
  const isInside = ({ hit }: AnswerCandidate) => areas.some((area) => hit.isIn(area));
  return {
    ...retrieved,
    around: keepsArea && retrieved.candidates.length > 0 && !retrieved.candidates.some(isInside),
  };
}

type RetrievedPlaces = Omit<Retrieved, 'around'>;

function retrieveAny(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  points: Points,
): RetrievedPlaces {
  const constraints = constraintsOf(question, destination);
  if (constraints.wishes.length === 0) return search(deps, destination, question, points, constraints);
  const confirmed = search(deps, destination, question, points, constraints, WISH_COST);
  if (confirmed.candidates.length > 0 || !hasOtherSubject(question)) return confirmed;
  // No matching place is recorded to satisfy the wishes, so fall back to those that are not recorded to contradict
  // them.
  return search(deps, destination, question, points, { ...constraints, wishes: [] });
}

function hasOtherSubject({ categories, cuisines, dishes, diets, areas }: Question): boolean {
  return [categories, cuisines, dishes, diets, areas].some((list) => list.length > 0);
}

/** Searches with relaxation, up to but not including the given cost. */
function search(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  points: Points,
  constraints: Constraints,
  costMax = Infinity,
): RetrievedPlaces {
  const dishCandidates = withDish(deps, destination, question, constraints);
  if (dishCandidates !== undefined)
    return { candidates: dishCandidates, relaxed: [], dishKnown: true, constraints: constraints };
  for (const relaxed of [[], ...relaxations(activeOf(constraints))]) {
    if (costOf(relaxed) >= costMax) break;
    const candidates = attempt(deps, destination, question, points, constraints, relaxed);
    if (candidates.length > 0)
      return {
        candidates,
        relaxed: withoutMetArea(relaxed, candidates, question),
        dishKnown: false,
        constraints: constraints,
      };
  }
  return { candidates: [], relaxed: [], dishKnown: false, constraints: constraints };
}

/** Does not report the area as relaxed when one of the places is inside it after all. */
function withoutMetArea(
  relaxed: Relaxed[],
  candidates: readonly AnswerCandidate[],
  { areas }: Question,
): Relaxed[] {
  const isInside = ({ hit }: AnswerCandidate) => areas.some((area) => hit.isIn(area));
  return relaxed.includes('area') && candidates.some(isInside)
    ? relaxed.filter((one) => one !== 'area')
    : relaxed;
}

function costOf(choice: readonly Relaxed[]): number {
  return choice.reduce((sum, one) => sum + COSTS[one], 0);
}

/** Returns every combination of constraints to relax, cheapest first. */
function relaxations(active: readonly Relaxed[]): Relaxed[][] {
  const choices: Relaxed[][] = [[]];
  for (const one of active) choices.push(...choices.map((choice) => [...choice, one]));
  return choices
    .filter((choice) => choice.length > 0)
    .sort((a, b) => costOf(a) - costOf(b) || a.length - b.length);
}

/** Searches for the dish itself, because some maps record a dish as a cuisine. */
function withDish(
  deps: OperationDeps,
  destination: Destination,
  { dishes }: Question,
  constraints: Constraints,
): AnswerCandidate[] | undefined {
  if (dishes.length === 0 || constraints.apart !== undefined) return undefined;
  const candidates = findCandidates(deps, destination, { ...constraints, categories: dishes, cuisines: [] });
  return candidates.length > 0 ? candidates : undefined;
}

function attempt(
  deps: OperationDeps,
  destination: Destination,
  { nearArea, areas }: Question,
  points: Points,
  constraints: Constraints,
  relaxed: readonly Relaxed[],
): AnswerCandidate[] {
  const relaxedConstraints = relaxConstraints(constraints, new Set(relaxed));
  const places = findAround(deps, destination, relaxedConstraints, {
    area: areas[0],
    nearArea,
    relaxed: relaxed,
    points,
  });
  if (!relaxed.includes('time') || constraints.openAt === undefined) return places;
  return notKnownClosed(places, constraints.openAt);
}

interface AreaSearch {
  area: string | undefined;
  nearArea: boolean;
  relaxed: readonly Relaxed[];
  points: Points;
}

/** Finds places in and around an area; when the area was relaxed, the nearest ones. */
function findAround(
  deps: OperationDeps,
  destination: Destination,
  constraints: Constraints,
  { area, nearArea, relaxed, points }: AreaSearch,
): AnswerCandidate[] {
  const far = relaxed.includes('area');
  if (!far && !nearArea) return findInside(deps, destination, constraints, points);
  const middle =
    area === undefined ? undefined : middleOf(deps, destination, area, points, far ? FAR_M : AROUND_M);
  if (middle === undefined) return findCandidates(deps, destination, constraints);
  const around = findCandidates(deps, destination, {
    ...constraints,
    areas: [],
    near: constraints.near ?? middle,
  });
  if (far) return around;
  const aroundIds = new Set(around.map(({ card }) => card.place_id));
  return [
    ...around,
    ...findCandidates(deps, destination, constraints).filter(({ card }) => !aroundIds.has(card.place_id)),
  ];
}

/** Finds places in the areas. For an area that is only a point without recorded places, searches within its reach. */
function findInside(
  deps: OperationDeps,
  destination: Destination,
  constraints: Constraints,
  points: Points,
): AnswerCandidate[] {
  const inside = findCandidates(deps, destination, constraints);
  if (inside.length > 0 || constraints.near !== undefined) return inside;
  return constraints.areas.flatMap((area) => {
    const near = points.get(area);
    return near === undefined ? [] : findCandidates(deps, destination, { ...constraints, areas: [], near });
  });
}

function middleOf(
  deps: OperationDeps,
  destination: Destination,
  area: string,
  points: Points,
  radiusM: number,
): SearchCircle | undefined {
  const point = points.get(area);
  return point === undefined ? areaMiddle(deps, destination, area, radiusM) : { ...point, radiusM };
}

/** Keeps places that are not known to be closed at that time. */
function notKnownClosed(places: readonly AnswerCandidate[], openAt: Date): AnswerCandidate[] {
  return places.filter(({ hit }) => hit.openAt(openAt).open !== false);
}
