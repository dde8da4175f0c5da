import { post } from '../mcp/message.ts';
import { toolCall } from '../search/bench.ts';
import { isOneOf, type Place, shortRef } from './directory.ts';
import { destinationOf, type Judge } from './judge.ts';
import { type Extract, type MapObject, namesOf, type ObjectMap, ZONES } from './map-objects.ts';
import { type JudgedQuestion, QUESTIONS } from './set/questions.ts';
import {
  closesAt,
  factHolds,
  instantOf,
  isClosedByItself,
  liesIn,
  openAt,
  sameValue,
} from './true-claims.ts';

interface Claim {
  place_id: string;
  field: string;
  value: string | number | boolean | null;
  observed_at: string;
}

interface Card {
  place_id: string;
  name: string;
  area?: string | null;
  areas?: string[];
  open_now?: boolean | null;
  facts?: Record<string, unknown>;
}

interface Answer {
  answer: string;
  outcome: string;
  understood: { open_at: string | null; not_in_directory: string[] };
  relaxed: string[];
  places: Card[];
  claims: Claim[];
}

export interface ClaimsTold {
  questions: number;
  /** How many statements could be compared with the map, how many are wrong, and those in words. */
  checked: number;
  wrong: string[];
  /** Dates that are later than the map of the place. */
  late: number;
}

// The last day of each map. What is known from it is not newer.
const MAPS: Record<Extract, string> = {
  monaco: '2025-02-12',
  andorra: '2025-01-20',
  liechtenstein: '2024-03-05',
  helsinki: '2019-04-22',
  'tokyo-center': '2025-01-02',
};

/** Asks the questions, and holds everything that the answers state against the map. */
export async function checkClaims(
  ask: { port: number; key: string },
  judge: Judge,
  places: readonly Place[],
  maps: ReadonlyMap<Extract, ObjectMap>,
): Promise<ClaimsTold> {
  const told: ClaimsTold = { questions: QUESTIONS.length, checked: 0, wrong: [], late: 0 };
  const byId = new Map(places.map((place) => [place.id, place]));
  for (const question of QUESTIONS) {
    const [extract, settlement, text, right] = question;
    const held = judge.placesOf(judge.rightOf({ extract, right }));
    const inExtract = places.filter((place) => maps.get(extract)?.has(shortRef(place.ref)) === true);
    const destination = destinationOf(settlement, held) ?? destinationOf(settlement, inExtract) ?? '';
    const call = toolCall('concierge_answer', { destination, question: text });
    const { body } = await post(ask.port, '/api/partner/mcp', call, { 'x-partner-key': ask.key });
    const answer = (body['result'] as { structuredContent?: Answer }).structuredContent;
    if (answer === undefined) throw new Error(`${text}: ${JSON.stringify(body)}`);
    const check = new AnswerCheck(question, answer, byId, maps.get(extract) ?? new Map(), destination, told);
    check.claims();
    check.cards();
    check.honoured(judge, held);
  }
  return told;
}

class AnswerCheck {
  readonly #question: JudgedQuestion;
  readonly #answer: Answer;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #objects: ObjectMap;
  readonly #destination: string;
  readonly #told: ClaimsTold;

  constructor(
    question: JudgedQuestion,
    answer: Answer,
    places: ReadonlyMap<string, Place>,
    objects: ObjectMap,
    destination: string,
    told: ClaimsTold,
  ) {
    this.#question = question;
    this.#answer = answer;
    this.#places = places;
    this.#objects = objects;
    this.#destination = destination;
    this.#told = told;
  }

  claims(): void {
    for (const claim of this.#answer.claims) {
      const object = this.#objectOf(claim.place_id);
      if (object === undefined) continue;
      this.#hold(
        this.#claimHolds(object, claim),
        `${claim.field} of ${this.#nameOf(claim.place_id)} is ${claim.value}`,
      );
      if (claim.observed_at > MAPS[this.#question[0]]) this.#told.late++;
    }
  }

  cards(): void {
    const [extract] = this.#question;
    for (const { place_id, name, area, areas = [], open_now, facts = {} } of this.#answer.places) {
      const object = this.#objectOf(place_id);
      this.#hold(object !== undefined && !isClosedByItself(object), `${name} is there and open for business`);
      if (object === undefined) continue;
      for (const one of [area, ...areas])
        if (typeof one === 'string') this.#hold(liesIn(this.#objects, object, one), `${name} lies in ${one}`);
      if (typeof open_now === 'boolean')
        this.#hold(
          sameOrUnknown(openAt(extract, object, new Date()), open_now),
          `${name} has open_now ${open_now}`,
        );
      for (const [fact, value] of Object.entries(facts))
        this.#hold(factHolds(object, fact, value), `${name} has ${fact} ${JSON.stringify(value)}`);
    }
  }

  /** Every place must have what the answer does not name as unanswered. No place may have what was given up. */
  honoured(judge: Judge, held: readonly Place[]): void {
    const [extract, , , right] = this.#question;
    const { relaxed, understood, outcome, places, answer } = this.#answer;
    const here = held.filter(({ destination }) => destination === this.#destination);
    if (relaxed.includes('area'))
      this.#hold(here.length === 0, `nothing matches there, but ${here[0]?.name ?? ''} does`);
    if (relaxed.includes('diet'))
      this.#hold(here.length === 0, `nothing has that diet, but ${here[0]?.name ?? ''} has`);
    if (understood.not_in_directory.length > 0) return;
    if (outcome === 'no_match')
      this.#hold(here.length === 0, `there is no match, but ${here[0]?.name ?? ''}: ${answer}`);
    if (outcome !== 'answered') return;
    const objects = judge.rightOf({ extract, right });
    for (const { place_id, name } of places) {
      const place = this.#places.get(place_id);
      this.#hold(place !== undefined && isOneOf(place, objects), `${name} is what was asked for`);
    }
  }

  #claimHolds(object: MapObject, { field, value }: Claim): boolean | undefined {
    const [extract] = this.#question;
    const name = field.replace(/^facts\./, '');
    const at = this.#answer.understood.open_at;
    const asked = at === null ? new Date() : instantOf(at, ZONES[extract].zone);
    switch (name) {
      case 'name':
        // The name of a thing without one is its kind and area, in the language of the question.
        if (namesOf(object).length === 0)
          return liesIn(this.#objects, object, String(value).split(', ').at(-1) ?? '');
        return namesOf(object).some((one) => sameValue(value, one));
      case 'area':
      case 'areas':
      case 'city':
        return String(value)
          .split(', ')
          .every((one) => liesIn(this.#objects, object, one));
      case 'cuisine':
        return (object.tags['cuisine'] ?? '')
          .toLowerCase()
          .split(/[;,]/)
          .some((one) => one.trim().replaceAll(' ', '_') === value);
      case 'open_now':
        return value === null
          ? undefined
          : sameOrUnknown(openAt(extract, object, new Date()), value === true);
      case 'open_at':
        return value === null ? undefined : sameOrUnknown(openAt(extract, object, asked), value !== false);
      case 'open_until':
        return value === null ? undefined : closesAt(extract, object, asked, new Date(String(value)));
      default:
        return factHolds(object, name, value);
    }
  }

  /** Counts a statement that could be compared, and keeps it when it is wrong. */
  #hold(holds: boolean | undefined, statement: string): void {
    if (holds === undefined) return;
    this.#told.checked++;
    if (!holds) this.#told.wrong.push(`\`${this.#question[2]}\` in ${this.#destination}: ${statement}`);
  }

  #objectOf(placeId: string): MapObject | undefined {
    return this.#objects.get(shortRef(this.#places.get(placeId)?.ref ?? ''));
  }

  #nameOf(placeId: string): string {
    return this.#places.get(placeId)?.name ?? placeId;
  }
}

/** Hours that the map gives in words only prove nothing; a promise that they were open would be one too many. */
function sameOrUnknown(known: boolean | undefined, stated: boolean): boolean {
  return known === undefined ? !stated : known === stated;
}
