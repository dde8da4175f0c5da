import type { Ctx } from '../core/context.ts';
import type { Destination } from '../directory/destinations.ts';
import { findNamedDestination } from '../directory/find-destination.ts';
import { instantOfLocalMinute, localMinuteOf } from '../directory/hours/zone-clock.ts';
import type { Promotion } from '../directory/place/place.ts';
import { fold } from '../core/text/fold.ts';
import { maskContacts } from './question/mask-contacts.ts';
import { isLodging } from './question/read-kinds.ts';
import { readQuestion, type Question } from './question/read-question.ts';
import type { Languages } from '../core/text/languages.ts';
import { languageNames, showName } from '../directory/place/place-names.ts';
import type { Hit } from '../search/query/hit.ts';
import { alternativesOf, chooseCovering, isSaid, missingWords } from './search/alternatives.ts';
import { namedRetrieved } from './search/named-place.ts';
import { isName, type Candidate, type Card } from './search/candidate.ts';
import type { Constraints } from './search/constraints.ts';
import { locateAreas, withoutUnknown, type LocatedAreas } from './search/locate-areas.ts';
import { nameSearch } from './search/name-search.ts';
import { readFacts, type PlaceFacts } from './search/place-facts.ts';
import { rankCandidates } from './search/rank.ts';
import { retrieve, type Retrieved } from './search/retrieve.ts';
import { dietsSaid, saidOf, type FactWords } from './search/wishes.ts';
import { answerText, compose, leadOf, PLACES_MAX, type Composed } from './wording/compose.ts';
import {
  aroundNote,
  askNotes,
  dishNote,
  NOTES,
  outWords,
  relaxedNotes,
  unknownAreaNote,
  type Note,
} from './wording/notes.ts';
import { placeSentence, type Claim, type Detail, type PlaceSentence } from './wording/place-sentence.ts';
import { noMatch, outOfScope, unknownSubject } from './wording/plain-answers.ts';

export interface ConciergeAnswer {
  answer: string;
  /** Of what the answer consists, where it is about places: it may still be said in other words. */
  composed?: Composed;
  outcome: 'answered' | 'relaxed' | 'no_match' | 'out_of_scope';
  question: Question;
  relaxed: Retrieved['relaxed'];
  /** Every part of the question that the answer does not honour, in the question's own words. */
  unanswered: readonly string[];
  places: Card[];
  claims: Claim[];
  promotions: (Promotion & { place_id: string })[];
}

const NAME_MIN = 4;
const UNKNOWN = { open: null, until: null };

/** Reads a question, finds places, and answers in sentences of stored facts. */
export async function answerQuestion(
  ctx: Ctx,
  destination: Destination,
  text: string,
  languages: Languages = [],
): Promise<ConciergeAnswer> {
  const { deps, now, log } = ctx;
  const asked = readQuestion(text, destination, now, nameSearch(deps, destination));
  log.debug({ question: maskContacts(text).text, destination: destination.slug }, 'question read');
  if (!hasSubject(asked))
    return asked.out.size === 0 && asked.unknownWords && hasWishes(asked)
      ? withoutPlaces(asked, 'no_match', unknownSubject(destination))
      : withoutPlaces(asked, 'out_of_scope', outOfScope(asked, destination));
  const { points, unknown } = await locateAreas(ctx, destination, asked);
  const known = withoutUnknown(asked, unknown);
  const retrieved =
    known.named === undefined
      ? retrieve(deps, destination, known, points)
      : namedRetrieved(deps, destination, known, known.named);
  const question = retrieved.around ? { ...known, nearArea: true } : known;
  const { candidates } = retrieved;
  const ids = candidates.map(({ card }) => card.place_id);
  const facts = await readFacts(ctx.db, ids, now);
  const { categories, cuisines, dishes, diets, intents } = question;
  const ranked = rankCandidates(candidates, facts, {
    kinds: [...categories, ...cuisines, ...dishes, ...diets],
    best: intents.has('best') || intents.has('good'),
    promotions: intents.has('deal'),
    nearest: retrieved.around || retrieved.relaxed.includes('area'),
  });
  const alternatives = alternativesOf(question, retrieved.relaxed);
  const chosen = chooseCovering(distinct(ranked), alternatives, PLACES_MAX);
  if (chosen.length === 0) return withoutPlaces(question, 'no_match', noMatch(question, destination));
  const shown = chosen.map((candidate) => inLanguage(candidate, languages));
  return tell(ctx, destination, question, { ...retrieved, candidates: shown, unknown }, facts);
}

/** Whether there is anything to look for. A place is looked for even where something else is asked beside it. */
function hasSubject(question: Question): boolean {
  const { categories, cuisines, dishes, diets, without, named, intents, out, unanswered } = question;
  const kinds = [...categories, ...cuisines, ...dishes, ...diets, ...without];
  if (kinds.length > 0 || named !== undefined) return true;
  // What is looked for may be in words that nobody understands: then nothing else stands for it.
  if (out.size > 0 || question.unknownWords) return false;
  // Who asks for the best of something unknown is not told about something else.
  const anything = ['best', 'good', 'recommend', 'deal'].some((intent) => intents.has(intent));
  return hasWishes(question) || question.wishes.length > 0 || (anything && unanswered.length === 0);
}

/** Whether it is said where, when or at which price. */
function hasWishes({ areas, landmark, prices, time, past }: Question): boolean {
  return areas.length > 0 || landmark !== undefined || prices.length > 0 || time !== undefined || past;
}

function withoutPlaces(
  question: Question,
  outcome: 'no_match' | 'out_of_scope',
  answer: string,
): ConciergeAnswer {
  const unanswered = [...new Set([...question.unanswered, ...[...question.words.byWish.values()].flat()])];
  return { answer, outcome, question, unanswered, relaxed: [], places: [], claims: [], promotions: [] };
}

/** The place under the name that the reader knows, where that can stand in a sentence. */
function inLanguage(candidate: Candidate, languages: Languages): Candidate {
  const { card, hit } = candidate;
  if (languages.length === 0) return candidate;
  const names = languageNames(hit.place.described.names ?? {});
  const { name, local } = showName({ ...card, names }, languages);
  return local === undefined || !isName(name)
    ? candidate
    : { ...candidate, card: { ...card, name, local_name: local } };
}

/** What the facts of a place say about what was asked, be it yes or no. */
function factsSaid({ wishes, diets }: Question, { place }: Hit): FactWords[] {
  if (wishes.length + diets.length === 0) return [];
  const facts = place.facts ?? {};
  return [...wishes.flatMap((wish) => saidOf(wish, facts) ?? []), ...dietsSaid(diets, facts)];
}

/** Two places of one name cannot be told apart in a sentence. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const names = new Set<string>();
  return candidates.filter(({ card }) => !names.has(card.name) && names.add(card.name));
}

function tell(
  ctx: Ctx,
  destination: Destination,
  question: Question,
  { candidates, relaxed, dishKnown, wanted, around, unknown }: Retrieved & Pick<LocatedAreas, 'unknown'>,
  facts: ReadonlyMap<string, PlaceFacts>,
): ConciergeAnswer {
  const { now } = ctx;
  const { timezone } = destination;
  const localNow = localMinuteOf(timezone, now);
  const about = candidates.flatMap((candidate) => {
    const known = facts.get(candidate.card.place_id);
    return known === undefined ? [] : [{ ...candidate, known }];
  });
  const at = question.time;
  const instant = at === undefined || at.now ? now : instantOfLocalMinute(timezone, at.minute);
  const sentences = (detail: Detail): PlaceSentence[] =>
    about.map(({ card, hit, metres, known }) => {
      const open = isLodging(question) ? UNKNOWN : hit.openAt(instant);
      const always = question.named !== undefined || question.intents.has('hours');
      const far = question.landmark === undefined ? undefined : metres;
      const said = factsSaid(question, hit);
      return placeSentence(card, known, { timezone, at, open, always, metres: far, said }, detail);
    });
  const promotions = about.flatMap(({ card, known }) =>
    known.promotions.map((promotion) => ({ place_id: card.place_id, ...promotion })),
  );
  const lead = leadOf(question, destination, {
    localNow,
    open: at !== undefined && !relaxed.includes('time') && question.named === undefined,
    near: relaxed.includes('area') || relaxed.includes('near'),
  });
  const told = {
    ...{ relaxed, dishKnown, wanted, around, unknown },
    ...{ places: about, count: about.length, promotions },
  };
  const notes = notesFor(ctx, destination, question, told);
  const composeWith = (more: readonly Note[]) =>
    compose(question.named === undefined ? lead : '', sentences, [...more, ...notes]);
  const named = ({ places }: Composed) => {
    const ids = new Set(places.map(({ card }) => card.place_id));
    return about.filter(({ card }) => ids.has(card.place_id));
  };
  let composed = composeWith([]);
  // The note takes room, and so may a place.
  if ([...question.unanswered, ...missingWords(question, relaxed, named(composed))].length > 0)
    composed = composeWith([NOTES.unanswered]);
  const places = named(composed);
  const ids = new Set(places.map(({ card }) => card.place_id));
  return {
    answer: answerText(
      composed,
      composed.places.map(({ sentence }) => sentence),
    ),
    composed,
    outcome: relaxed.length > 0 ? 'relaxed' : 'answered',
    question,
    relaxed,
    unanswered: [...new Set([...question.unanswered, ...missingWords(question, relaxed, places)])],
    places: places.map((one) => cardNow(one, question, now)),
    claims: composed.places.flatMap(({ claims }) => claims),
    promotions: promotions.filter(({ place_id }) => ids.has(place_id)),
  };
}

/** The card of this moment: the search may have looked at another time. */
function cardNow({ card, hit, metres }: Candidate, { landmark }: Question, now: Date): Card {
  const { distance_m: _distance, open_until: _until, ...rest } = card;
  const { open, until } = hit.openAt(now);
  return {
    ...rest,
    open_now: open,
    ...(open === true && { open_until: until?.toISOString() ?? null }),
    ...(landmark !== undefined && metres !== undefined && { distance_m: Math.round(metres) }),
  };
}

interface AnswerFacts {
  relaxed: Retrieved['relaxed'];
  dishKnown: boolean;
  wanted: Constraints;
  around: boolean;
  unknown: LocatedAreas['unknown'];
  places: readonly Candidate[];
  count: number;
  promotions: readonly unknown[];
}

/** Everything beside the places that an honest answer says, the most important first. */
function notesFor(ctx: Ctx, destination: Destination, question: Question, told: AnswerFacts): Note[] {
  const { intents, out, landmark, unknownLandmark, named, masked, dishes } = question;
  const said = question.wishes.filter((wish) => told.places.some((place) => isSaid(wish, [place])));
  const notes: (Note | false)[] = [
    ...relaxedNotes(told.relaxed, told.wanted),
    told.around && aroundNote(question.areas),
    told.unknown.length > 0 && unknownAreaNote(told.unknown),
    dishes.length > 0 && !told.dishKnown && dishNote(question),
    ...askNotes(question, new Set(said)),
    said.some((wish) => !isSaid(wish, told.places)) && NOTES.partly,
    unknownLandmark && NOTES.landmark,
    intents.has('book') && NOTES.book,
    intents.has('here') && landmark === undefined && question.areas.length === 0 && NOTES.here,
    question.past && NOTES.past,
    out.size > 0 && { text: `It knows nothing about ${outWords(out)}.`, needed: true },
    namesAnother(ctx, destination, question) && {
      text: `This covers ${destination.name} only.`,
      needed: true,
    },
    intents.has('deal') && told.promotions.length === 0 && NOTES.noDeals,
    isLodging(question) && NOTES.lodging,
    told.promotions.length > 0 && NOTES.deals,
    intents.has('contact') && NOTES.contact,
    intents.has('hours') && NOTES.hours,
    told.count === 1 &&
      told.relaxed.length === 0 &&
      named === undefined &&
      (told.wanted.rated ? NOTES.onlyRated : NOTES.only),
    masked && NOTES.masked,
  ];
  return notes.filter((note) => note !== false);
}

function namesAnother({ deps }: Ctx, { id }: Destination, { unanswered }: Question): boolean {
  // A short word is more often a word: rio is a river before it is a city.
  const words = unanswered.flatMap((part) => fold(part).split(' ')).filter((word) => word.length >= NAME_MIN);
  const named = words.length === 0 ? undefined : findNamedDestination(deps.destinations.current, words);
  return named !== undefined && named.destination.id !== id;
}
