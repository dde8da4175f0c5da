import type { Ctx } from '../core/context.ts';
import type { Destination } from '../directory/destinations.ts';
import { openByHoursFields } from '../directory/hours/open-status.ts';
import { instantOfLocalMinute, localMinuteOf } from '../directory/hours/zone-clock.ts';
import type { Promotion } from '../directory/place/place.ts';
import { fold } from '../core/text/fold.ts';
import { destinationNames, findNamedDestination } from '../search/understand/destination-names.ts';
import { joinTokens } from '../search/understand/tokens.ts';
import { maskContacts } from '../search/understand/question/mask-contacts.ts';
import { isLodging } from '../search/understand/question/read-kinds.ts';
import type { Question } from '../search/understand/question/read-question.ts';
import type { Languages } from '../core/text/languages.ts';
import { localizedFields } from '../search/card.ts';
import type { Hit } from '../search/query/hit.ts';
import { alternativesOf, chooseCovering, isWishAnswered, missingWords } from './search/alternatives.ts';
import { namedRetrieved } from './search/named-place.ts';
import type { PlaceCard } from '../directory/place/place-fields.ts';
import { isName, type AnswerCandidate } from './search/candidate.ts';
import { locateAreas, withoutUnknown, type LocatedAreas } from './search/locate-areas.ts';
import { nameSearch } from './search/name-search.ts';
import { readAnswerFacts, type AnswerFacts } from './search/place-facts.ts';
import type { Relaxed } from './answer-sets.ts';
import { rankCandidates } from './search/rank.ts';
import { retrieve, type Retrieved } from './search/retrieve.ts';
import { dietFacts, factForWish, type StatedFact } from './search/wishes.ts';
import { answerLanguage, type AnswerLanguage } from './language/answer-language.ts';
import { findClosedPlace } from './statements/closed-place.ts';
import {
  areaStatement,
  asksStatement,
  closedStatement,
  dishStatement,
  landmarkStatement,
  moreStatement,
  noDealsStatement,
  noMatchStatement,
  onlyStatement,
  relaxedStatements,
  unknownSubjectStatement,
  type Inquiry,
} from './statements/statements.ts';
import { joinAnswer, compose, leadOf, PLACES_MAX, type Composed } from './wording/compose.ts';
import { noteOf, outWords, type Note } from './wording/notes.ts';
import { placeSentence, type Claim, type Detail, type PlaceSentence } from './wording/place-sentence.ts';
import { criteriaOf, outOfScope } from './wording/plain-answers.ts';

interface ConciergeAnswer {
  answer: string;
  /** Parts of an English answer about places, so that it can still be reworded. */
  composed?: Composed;
  outcome: 'answered' | 'relaxed' | 'no_match' | 'out_of_scope';
  question: Question;
  relaxed: Retrieved['relaxed'];
  /** Parts of the question that the answer does not honour, in the question's own words. */
  unanswered: readonly string[];
  places: PlaceCard[];
  claims: Claim[];
  promotions: (Promotion & { place_id: string })[];
}

const NAME_MIN = 4;
const UNKNOWN = { open: null, until: null };

/** Reads a question, finds places, and composes an answer from stored facts. */
export async function answerQuestion(
  ctx: Ctx,
  destination: Destination,
  text: string,
  languages: Languages = [],
): Promise<ConciergeAnswer> {
  const { deps, now, log } = ctx;
  const parsed = deps.places.readQuestion(text, { destination, now, search: nameSearch(deps, destination) });
  log.debug({ question: maskContacts(text).text, destination: destination.slug }, 'question read');
  const language = answerLanguage(parsed, languages);
  if (parsed.named === undefined) {
    const place = await findClosedPlace(ctx, destination, parsed, maskContacts(text).text);
    const closed = place && (await closedStatement({ ctx, destination, language }, place));
    const [note] = closed?.notes ?? [];
    if (note !== undefined)
      return { ...withoutPlaces(parsed, 'no_match', note.text), claims: closed?.claims ?? [] };
  }
  if (!hasSubject(parsed))
    return parsed.out.size === 0 && parsed.unknownWords && hasWishes(parsed)
      ? withoutPlaces(parsed, 'no_match', await unknownSubject(ctx, destination, parsed, language))
      : withoutPlaces(parsed, 'out_of_scope', outOfScope(language, parsed, destination));
  const { points, unknown } = await locateAreas(ctx, destination, parsed);
  const located = withoutUnknown(parsed, unknown);
  const retrieved =
    located.named === undefined
      ? retrieve({ deps, destination, question: located, points })
      : namedRetrieved(deps, destination, located, located.named);
  const question = retrieved.around ? { ...located, nearArea: true } : located;
  const { candidates, constraints } = retrieved;
  const inquiry = { ctx, destination, question, language, constraints };
  const ids = candidates.map(({ card }) => card.place_id);
  const facts = await readAnswerFacts(ctx.db, ids, now);
  const { categories, cuisines, dishes, diets, intents } = question;
  const ranked = rankCandidates(candidates, facts, {
    kinds: [...categories, ...cuisines, ...dishes, ...diets],
    best: intents.has('best') || intents.has('good') || question.rating !== undefined,
    promotions: intents.has('deal'),
    nearest: retrieved.around || retrieved.relaxed.includes('area'),
  });
  const alternatives = alternativesOf(question, retrieved.relaxed);
  const chosen = chooseCovering(distinct(ranked), alternatives, PLACES_MAX);
  if (chosen.length === 0) return withoutPlaces(question, 'no_match', await noMatch(inquiry));
  const localized = chosen.map((candidate) =>
    // A name that was made from the kind stands on no sign, so it is in the language of the answer.
    inLanguage(candidate, candidate.card.name_generated === true ? [language.code, ...languages] : languages),
  );
  return composeAnswer(inquiry, { ...retrieved, candidates: localized, unknown }, facts);
}

async function noMatch(inquiry: Inquiry): Promise<string> {
  const { language, question } = inquiry;
  const notes = await noMatchStatement(inquiry, criteriaOf(language, question));
  return [...notes.map(({ text }) => text), language.text('plain.askInstead')].join(' ');
}

async function unknownSubject(
  ctx: Ctx,
  destination: Destination,
  question: Question,
  language: AnswerLanguage,
): Promise<string> {
  const notes = await unknownSubjectStatement({ ctx, destination, question, language });
  return [...notes.map(({ text }) => text), language.text('plain.askInstead')].join(' ');
}

/**
 * True when there is something to search for. Places are searched for even when the question also asks for something
 * else.
 */
function hasSubject(question: Question): boolean {
  const { categories, cuisines, dishes, diets, without, named, intents, out, unanswered } = question;
  const kinds = [...categories, ...cuisines, ...dishes, ...diets, ...without];
  if (kinds.length > 0 || named !== undefined) return true;
  // The subject may be in words that were not understood. Nothing else may then replace it.
  if (out.size > 0 || question.unknownWords) return false;
  // A question for the best of something unknown must not be answered with something else.
  const anything = ['best', 'good', 'recommend', 'deal'].some((intent) => intents.has(intent));
  return hasWishes(question) || question.wishes.length > 0 || (anything && unanswered.length === 0);
}

/** True when the question names a location, a time or a price. */
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

/** Replaces the name with the one in the reader's language, if that name can be used in a sentence. */
function inLanguage(candidate: AnswerCandidate, languages: Languages): AnswerCandidate {
  const { card, hit } = candidate;
  const localized = localizedFields(hit, languages, card);
  return localized === undefined || !isName(localized.name)
    ? candidate
    : { ...candidate, card: { ...card, ...localized } };
}

/** Returns the facts of a place that answer the question, positive or negative. */
function findAnsweringFacts({ wishes, diets }: Question, { place }: Hit): StatedFact[] {
  if (wishes.length + diets.length === 0) return [];
  const facts = place.facts ?? {};
  return [...wishes.flatMap((wish) => factForWish(wish, facts) ?? []), ...dietFacts(diets, facts)];
}

/** Keeps one place per name: two places of the same name cannot be distinguished in a sentence. */
function distinct(candidates: readonly AnswerCandidate[]): AnswerCandidate[] {
  const names = new Set<string>();
  return candidates.filter(({ card }) => !names.has(card.name) && names.add(card.name));
}

type Found = Retrieved & Pick<LocatedAreas, 'unknown'>;

async function composeAnswer(
  inquiry: Inquiry,
  found: Found,
  facts: ReadonlyMap<string, AnswerFacts>,
): Promise<ConciergeAnswer> {
  const { ctx, destination, question, language } = inquiry;
  const { now } = ctx;
  const { candidates, relaxed, around } = found;
  const { timezone } = destination;
  const localNow = localMinuteOf(timezone, now);
  const about = candidates.flatMap((candidate) => {
    const placeFacts = facts.get(candidate.card.place_id);
    return placeFacts === undefined ? [] : [{ ...candidate, placeFacts }];
  });
  const at = question.time;
  const instant = at === undefined || at.now ? now : instantOfLocalMinute(timezone, at.minute);
  const sentences = (detail: Detail): PlaceSentence[] =>
    about.map(({ card, hit, metres, placeFacts }) => {
      const open = isLodging(question) ? UNKNOWN : hit.openAt(instant);
      const openByHours = isLodging(question) ? null : hit.openByHoursAt(instant);
      const always = question.named !== undefined || question.intents.has('hours');
      const far = question.landmark === undefined ? undefined : metres;
      const contact = question.intents.has('contact');
      const answeringFacts = findAnsweringFacts(question, hit);
      return placeSentence(
        card,
        placeFacts,
        {
          language,
          timezone,
          at,
          instant,
          open,
          openByHours,
          always,
          metres: far,
          contact,
          facts: answeringFacts,
        },
        detail,
      );
    });
  const promotions = about.flatMap(({ card, placeFacts }) =>
    placeFacts.promotions.map((promotion) => ({ place_id: card.place_id, ...promotion })),
  );
  const lead = leadOf(language, question, destination, {
    localNow,
    open:
      at !== undefined &&
      !relaxed.includes('time') &&
      question.named === undefined &&
      !about.some(({ byOldHours }) => byOldHours === true),
    near: relaxed.includes('area') || relaxed.includes('near'),
  });
  const notes = await notesFor(inquiry, { ...found, candidates: about }, promotions.length);
  const composeWith = (more: readonly Note[], max = PLACES_MAX) =>
    compose(question.named === undefined ? lead : '', (detail) => sentences(detail).slice(0, max), [
      ...more,
      ...notes,
    ]);
  const idsOf = ({ places }: Composed) => places.map(({ card }) => card.place_id);
  const named = (one: Composed) => {
    const shown = new Set(idsOf(one));
    return about.filter(({ card }) => shown.has(card.place_id));
  };
  let leading: Note[] = [];
  let composed = composeWith(leading);
  // The note takes room, which may push out a place.
  if ([...question.unanswered, ...missingWords(question, relaxed, named(composed))].length > 0)
    composed = composeWith((leading = [noteOf(language, 'unanswered')]));
  let ids = idsOf(composed);
  // How many more there are depends on the places that are named, and saying so takes room.
  for (let count = -1; count !== ids.length; ids = idsOf(composed)) {
    count = ids.length;
    const rest = around ? [] : await restStatement(inquiry, relaxed, ids);
    composed = composeWith([...leading, ...rest], ids.length);
  }
  return {
    answer: joinAnswer(composed),
    ...(language.code === 'en' && { composed }),
    outcome: relaxed.length > 0 ? 'relaxed' : 'answered',
    question,
    relaxed,
    unanswered: [...new Set([...question.unanswered, ...missingWords(question, relaxed, named(composed))])],
    places: named(composed).map((one) => cardNow(one, question, now)),
    claims: composed.places.flatMap(({ claims }) => claims),
    promotions: promotions.filter(({ place_id }) => ids.includes(place_id)),
  };
}

/** States that there is nothing else, or how many more places reach the rating. */
function restStatement(
  inquiry: Inquiry,
  relaxed: readonly Relaxed[],
  shown: readonly string[],
): Promise<Note[]> {
  const { named, rating, reviews } = inquiry.question;
  if (relaxed.length > 0 || named !== undefined) return Promise.resolve([]);
  if (shown.length === 1) return onlyStatement(inquiry, shown);
  const isBounded = rating !== undefined || reviews !== undefined;
  return isBounded ? moreStatement(inquiry, shown) : Promise.resolve([]);
}

/** Returns the card as of now: the search may have used another time. */
function cardNow({ card, hit, metres }: AnswerCandidate, { landmark }: Question, now: Date): PlaceCard {
  const {
    distance_m: _distance,
    open_until: _until,
    open_by_hours: _open,
    hours_from: _from,
    ...rest
  } = card;
  const { open, until } = hit.openAt(now);
  return {
    ...rest,
    open_now: open,
    ...openByHoursFields(hit.openByHoursAt(now)),
    ...(open === true && { open_until: until?.toISOString() ?? null }),
    ...(landmark !== undefined && metres !== undefined && { distance_m: Math.round(metres) }),
  };
}

/** Returns the notes that a truthful answer needs besides its places, most important first. */
async function notesFor(
  inquiry: Inquiry,
  { candidates, relaxed, dishKnown, around, unknown }: Found,
  promotions: number,
): Promise<Note[]> {
  const { ctx, destination, question, language } = inquiry;
  const { intents, out, landmark, unknownLandmark, masked, dishes } = question;
  const answered = question.wishes.filter((wish) =>
    candidates.some((place) => isWishAnswered(wish, [place])),
  );
  const note = (...args: Parameters<typeof noteOf> extends [unknown, ...infer Rest] ? Rest : never) =>
    noteOf(language, ...args);
  const notes: (readonly Note[] | Note | false)[] = [
    await relaxedStatements(inquiry, relaxed),
    around && (await areaStatement(inquiry, 'pointOnly', question.areas)),
    unknown.length > 0 && (await areaStatement(inquiry, 'unknown', unknown)),
    dishes.length > 0 && !dishKnown && (await dishStatement(inquiry)),
    await asksStatement(inquiry, new Set(answered)),
    answered.some((wish) => !isWishAnswered(wish, candidates)) && note('partly'),
    unknownLandmark !== '' && (await landmarkStatement(inquiry)),
    intents.has('book') && note('book'),
    intents.has('here') && landmark === undefined && question.areas.length === 0 && note('here'),
    question.past && note('past'),
    out.size > 0 && { text: language.text('note.out', { topics: outWords(language, out) }), needed: true },
    namesAnother(ctx, destination, question) && note('covers', destination.name),
    intents.has('deal') && (await noDealsStatement(inquiry, promotions)),
    isLodging(question) && note('lodging'),
    promotions > 0 && note('deals'),
    intents.has('contact') && note('contact'),
    intents.has('hours') && note('hours'),
    masked && note('masked'),
  ];
  return notes.filter((one) => one !== false).flat();
}

function namesAnother({ deps }: Ctx, { id }: Destination, { unanswered }: Question): boolean {
  // A short word is more likely an ordinary word than a city: "rio" is a river first.
  const words = unanswered.flatMap((part) => fold(part).split(' ')).filter((word) => word.length >= NAME_MIN);
  const named = findNamedDestination(destinationNames(deps.destinations.current), joinTokens(words));
  return named !== undefined && named.destination.id !== id;
}
