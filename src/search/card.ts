import { ROUTE_GUIDANCE, routeWord } from '../directory/booking-route/guidance.ts';
import type { Languages } from '../core/text/languages.ts';
import { openMember, writeMembers } from '../core/text/json-text.ts';
import { openByHoursFields } from '../directory/hours/open-status.ts';
import { cardJson, type PlaceCard, type StoredCard } from '../directory/place/place-fields.ts';
import { chooseDisplayName } from '../directory/place/place-names.ts';
import type { ShownPhones } from '../directory/place/shown-phones.ts';
import type { Hit } from './query/hit.ts';
import { INDEXED_ROUTES } from './store/place-row.ts';
import { CARD_AT, CARD_ID, NAME_AT } from './store/stored-place.ts';

/** Card fields that only some searches add. */
export type AddedFields = Partial<Pick<PlaceCard, keyof ShownPhones | 'hours' | 'open_until' | 'distance_m'>>;

const [COMMA, QUOTE, CLOSES] = [...Buffer.from(',"}')] as [number, number, number];
/** Bytes to reserve for the punctuation between two parts, in addition to the parts themselves. */
const MARKS = 2;
/** Initial size of the output buffer. A page of fifty cards has about 30,000 bytes. */
const FIRST_BYTES = 2 ** 16;

type Route = Pick<PlaceCard, 'booking' | 'guidance'>;
/** Computed fields as bytes, up to the place id in the URL, by open state. */
type Endings = Record<'true' | 'false' | 'null', Buffer>;

/** Completes stored cards: as objects, or as an answer into which they are copied as bytes from the index. */
export class CardWriter {
  readonly #pages: string;
  /** By booking method. */
  readonly #routes: Route[];
  readonly #endings: Endings[];
  #out = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  constructor(baseUrl: string, prefix: string) {
    this.#pages = `${baseUrl}/p/`;
    this.#routes = INDEXED_ROUTES.map((route) => ({
      booking: { method: routeWord(route, prefix) },
      guidance: ROUTE_GUIDANCE[route],
    }));
    const ending = (route: Route, open_now: boolean | null) =>
      Buffer.from(cardJson.computed({ open_now, ...route }) + openMember('url', this.#pages));
    this.#endings = this.#routes.map((route) => ({
      true: ending(route, true),
      false: ending(route, false),
      null: ending(route, null),
    }));
  }

  card(hit: Hit, added: AddedFields | undefined, languages: Languages | undefined): PlaceCard {
    const { place, open } = hit;
    const card = place.readCard() as PlaceCard;
    const localized = localizedFields(hit, languages, card);
    const { booking, guidance } = this.#routes[place.method] as Route;
    card.open_now = open.open;
    Object.assign(card, openByHoursFields(hit.openByHours));
    card.booking = booking;
    card.guidance = guidance;
    card.url = this.#pages + card.place_id;
    return localized === undefined && added === undefined ? card : { ...card, ...localized, ...added };
  }

  write(
    [start, end]: readonly [string, string],
    hits: readonly Hit[],
    added: (hit: Hit) => AddedFields | undefined,
    languages?: Languages,
  ): Buffer {
    this.#at = 0;
    this.#text(start);
    for (const [i, hit] of hits.entries()) {
      if (i > 0) this.#out[this.#at++] = COMMA;
      this.#card(hit, added(hit), languages);
    }
    this.#text(end);
    return Buffer.from(this.#out.subarray(0, this.#at));
  }

  #card(hit: Hit, added: AddedFields | undefined, languages: Languages | undefined): void {
    const { place, open } = hit;
    const endings = this.#endings[place.method] as Endings;
    const ending = open.open === null ? endings.null : open.open ? endings.true : endings.false;
    const stored = languages === undefined ? undefined : place.readCard();
    const localized = localizedFields(hit, languages, stored);
    if (localized === undefined) this.#bytes(place.bytes, CARD_AT, place.cardEnd);
    else {
      this.#bytes(place.bytes, CARD_AT, NAME_AT);
      this.#text(cardJson.name(localized));
      if (localized.area === stored?.area) this.#bytes(place.bytes, place.nameEnd, place.cardEnd);
      else this.#text(cardJson.stored({ ...stored, area: localized.area }));
    }
    this.#bytes(ending, 0, ending.length);
    this.#bytes(place.bytes, CARD_ID.from, CARD_ID.to);
    this.#out[this.#at++] = QUOTE;
    const { openByHours } = hit;
    if (openByHours !== null) this.#text(writeMembers(openByHoursFields(openByHours)));
    if (added !== undefined) this.#text(writeMembers(added));
    this.#out[this.#at++] = CLOSES;
  }

  #bytes(bytes: Buffer, from: number, to: number): void {
    this.#reserve(to - from);
    this.#at += bytes.copy(this.#out, this.#at, from, to);
  }

  #text(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(text.length * 3);
    this.#at += this.#out.write(text, this.#at);
  }

  #reserve(bytes: number): void {
    const end = this.#at + bytes + MARKS;
    if (end <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, end));
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }
}

type LocalizedFields = Pick<PlaceCard, 'name' | 'area'> & { local_name?: string | undefined };

/** Returns name and area in the reader's language; undefined when they are as stored. */
export function localizedFields(
  hit: Hit,
  languages: Languages | undefined,
  stored?: StoredCard,
): LocalizedFields | undefined {
  if (languages === undefined) return undefined;
  const { place } = hit;
  const card = stored ?? place.readCard();
  const area = card.area === null ? null : hit.localizedArea(card.area, card.country, languages);
  const { name, local } = place.hasNames
    ? chooseDisplayName({ ...card, area, names: place.allNames(card) }, languages)
    : { name: card.name, local: undefined };
  return name === card.name && area === card.area ? undefined : { name, local_name: local, area };
}
