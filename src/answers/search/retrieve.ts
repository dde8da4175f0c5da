import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import type { Question } from '../question/read-question.ts';
import type { Candidate } from './candidate.ts';
import {
  activeOf,
  constraintsOf,
  without,
  type Constraints,
  type Point,
  type Relaxed,
} from './constraints.ts';
import { areaMiddle, findCandidates } from './find-candidates.ts';

export interface Retrieved {
  candidates: Candidate[];
  /** The wishes that had to be given up. */
  relaxed: Relaxed[];
  /** Whether the dish itself is what the places are known for. */
  dishKnown: boolean;
  /** What was looked for. */
  wanted: Constraints;
  /** Whether they lie around an area that is only a point on the map, none of them in it for certain. */
  around: boolean;
}

type Points = ReadonlyMap<string, Point>;

/** How far "near" an area reaches, and how far is looked when nothing is there. */
const AROUND_M = 3_000;
const FAR_M = 25_000;

/** What it costs the traveller to give a wish up. Pizza elsewhere is nearer to pizza here than noodles here are. */
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

/** What a place has is worth a way through the town, and no other kitchen. */
const WISH_COST = 4;

/** Looks for what was asked; where nothing matches, gives up one wish at a time and says which. */
export function retrieve(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  points: Points,
): Retrieved {
  const found = retrieveAny(deps, destination, question, points);
  const { areas, nearArea } = question;
  const isHeld = areas.length > 0 && !nearArea && !found.relaxed.includes('area');
  const isInside = ({ hit }: Candidate) => areas.some((area) => hit.isIn(area));
  return { ...found, around: isHeld && found.candidates.length > 0 && !found.candidates.some(isInside) };
}

type Found = Omit<Retrieved, 'around'>;

function retrieveAny(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  points: Points,
): Found {
  const asked = constraintsOf(question, destination);
  if (asked.wishes.length === 0) return search(deps, destination, question, points, asked);
  const known = search(deps, destination, question, points, asked, WISH_COST);
  if (known.candidates.length > 0 || !hasOtherSubject(question)) return known;
  // Nobody has recorded it of any place that fits: then those are left of which the contrary is not recorded either.
  return search(deps, destination, question, points, { ...asked, wishes: [] });
}

function hasOtherSubject({ categories, cuisines, dishes, diets, areas }: Question): boolean {
  return [categories, cuisines, dishes, diets, areas].some((list) => list.length > 0);
}

/** Gives up no more than what costs less than this. */
function search(
  deps: OperationDeps,
  destination: Destination,
  question: Question,
  points: Points,
  constraints: Constraints,
  costMax = Infinity,
): Found {
  const known = withDish(deps, destination, question, constraints);
  if (known !== undefined) return { candidates: known, relaxed: [], dishKnown: true, wanted: constraints };
  for (const relaxed of [[], ...drops(activeOf(constraints))]) {
    if (costOf(relaxed) >= costMax) break;
    const candidates = attempt(deps, destination, question, points, constraints, relaxed);
    if (candidates.length > 0)
      return {
        candidates,
        relaxed: missed(relaxed, candidates, question),
        dishKnown: false,
        wanted: constraints,
      };
  }
  return { candidates: [], relaxed: [], dishKnown: false, wanted: constraints };
}

/** A place that lies in the area after all is no sign that nothing does. */
function missed(relaxed: Relaxed[], candidates: readonly Candidate[], { areas }: Question): Relaxed[] {
  const isInside = ({ hit }: Candidate) => areas.some((area) => hit.isIn(area));
  return relaxed.includes('area') && candidates.some(isInside)
    ? relaxed.filter((one) => one !== 'area')
    : relaxed;
}

function costOf(choice: readonly Relaxed[]): number {
  return choice.reduce((sum, one) => sum + COSTS[one], 0);
}

/** Every choice of wishes to give up, those that are missed least first. */
function drops(active: readonly Relaxed[]): Relaxed[][] {
  const choices: Relaxed[][] = [[]];
  for (const one of active) choices.push(...choices.map((choice) => [...choice, one]));
  return choices
    .filter((choice) => choice.length > 0)
    .sort((a, b) => costOf(a) - costOf(b) || a.length - b.length);
}

/** Some maps note a dish as if it were a kitchen. */
function withDish(
  deps: OperationDeps,
  destination: Destination,
  { dishes }: Question,
  constraints: Constraints,
): Candidate[] | undefined {
  if (dishes.length === 0 || constraints.apart !== undefined) return undefined;
  const found = findCandidates(deps, destination, { ...constraints, categories: dishes, cuisines: [] });
  return found.length > 0 ? found : undefined;
}

function attempt(
  deps: OperationDeps,
  destination: Destination,
  { nearArea, areas }: Question,
  points: Points,
  constraints: Constraints,
  given: readonly Relaxed[],
): Candidate[] {
  const wanted = without(constraints, new Set(given));
  const places = findAround(deps, destination, wanted, { area: areas[0], nearArea, given, points });
  if (!given.includes('time') || constraints.openAt === undefined) return places;
  return notKnownClosed(places, constraints.openAt);
}

interface Around {
  area: string | undefined;
  nearArea: boolean;
  given: readonly Relaxed[];
  points: Points;
}

/** Near an area is in it and around it; where nothing is in it, the nearest count. */
function findAround(
  deps: OperationDeps,
  destination: Destination,
  wanted: Constraints,
  { area, nearArea, given, points }: Around,
): Candidate[] {
  const far = given.includes('area');
  if (!far && !nearArea) return findInside(deps, destination, wanted, points);
  const middle =
    area === undefined ? undefined : middleOf(deps, destination, area, points, far ? FAR_M : AROUND_M);
  if (middle === undefined) return findCandidates(deps, destination, wanted);
  const around = findCandidates(deps, destination, { ...wanted, areas: [], near: wanted.near ?? middle });
  if (far) return around;
  const known = new Set(around.map(({ card }) => card.place_id));
  return [
    ...around,
    ...findCandidates(deps, destination, wanted).filter(({ card }) => !known.has(card.place_id)),
  ];
}

/** In the areas; where one is only a point that nothing is recorded in, what its name carries to. */
function findInside(
  deps: OperationDeps,
  destination: Destination,
  wanted: Constraints,
  points: Points,
): Candidate[] {
  const inside = findCandidates(deps, destination, wanted);
  if (inside.length > 0 || wanted.near !== undefined) return inside;
  return wanted.areas.flatMap((area) => {
    const near = points.get(area);
    return near === undefined ? [] : findCandidates(deps, destination, { ...wanted, areas: [], near });
  });
}

function middleOf(
  deps: OperationDeps,
  destination: Destination,
  area: string,
  points: Points,
  radiusM: number,
): Point | undefined {
  const point = points.get(area);
  return point === undefined ? areaMiddle(deps, destination, area, radiusM) : { ...point, radiusM };
}

/** Who may be open at that time, for all that is known. */
function notKnownClosed(places: readonly Candidate[], openAt: Date): Candidate[] {
  return places.filter(({ hit }) => hit.openAt(openAt).open !== false);
}
