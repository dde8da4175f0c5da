import { z } from 'zod';
import { bookingMethodSet } from '../directory/booking-route/booking-method.ts';
import { badgeSet } from '../directory/sets/place-sets.ts';
import { ROUTE_GUIDANCE, routeWord } from '../directory/booking-route/guidance.ts';
import type { Languages } from '../core/text/languages.ts';
import { hoursSchema, kindFields, openNowSchema, whereFields } from '../directory/place/place-answer.ts';
import { languageNames } from '../directory/place/place-names.ts';
import { withLocalizedName, type NameReader } from '../directory/place/localize-name.ts';
import type { Hit } from './query/hit.ts';
import { INDEXED_ROUTES } from './store/place-row.ts';
import { CARD_AT, CARD_ID, type StoredPlace } from './store/stored-place.ts';

/** A place in search results. The shape is the same on all surfaces. */
export const cardSchema = z.object({
  ...kindFields,
  destination: z.string().describe('Slug of the destination.'),
  ...whereFields,
  rating: z.number().nullable(),
  review_count: z.int(),
  price_range: z.string().nullable(),
  badge: badgeSet.word,
  open_now: openNowSchema,
  booking: z.object({ method: bookingMethodSet.word }),
  guidance: z.string().describe('An instruction to follow as written.'),
  url: z.string().describe('The page of the place.'),
  phone: z
    .string()
    .nullable()
    .optional()
    .describe('In E.164 form. It and hours are given if only one place was found, or with fields.'),
  hours: hoursSchema.unwrap().pick({ structured: true, verified: true }).nullable().optional(),
  open_until: z.string().nullable().optional().describe('When it closes, in UTC.'),
  distance_m: z.int().optional().describe('Metres from the requested point.'),
});

/** Example for descriptions. */
export const CARD_EXAMPLE: z.input<typeof cardSchema> = {
  place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
  name: 'Pizzeria Senja',
  vertical: 'restaurant',
  category: 'pizza',
  cuisine: ['pizza', 'italian'],
  destination: 'bali',
  country: 'ID',
  city: 'Bali',
  area: 'Canggu',
  address: null,
  lat: -8.65,
  lng: 115.13,
  position_known: true,
  rating: 4.6,
  review_count: 312,
  price_range: '$$',
  badge: 'mapped',
  open_now: true,
  booking: { method: 'phone' },
  guidance: ROUTE_GUIDANCE.phone,
  url: 'https://waypost.example/p/plc_01kdtqb00071qz6sbs7e2vkqza',
};

const [COMMA, OPENS, CLOSES, QUOTE] = [...Buffer.from(',{}"')] as [number, number, number, number];
const ID_BYTES = CARD_ID.to - CARD_ID.from;
/** Commas, quotes and braces around a card. */
const MARKS = 4;
/** A page of fifty cards has about 30,000 bytes. */
const FIRST_BYTES = 2 ** 16;

type Endings = Record<'true' | 'false' | 'null', Buffer>;

/** Writes answers around cards, which are copied as bytes from the index. */
export class CardWriter {
  /** JSON that follows a card, by booking method and by open state (open, closed, unknown). */
  readonly #endings: Endings[];
  #out = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  constructor(baseUrl: string, prefix: string) {
    const urlHead = JSON.stringify(`${baseUrl}/p/`).slice(0, -1);
    this.#endings = INDEXED_ROUTES.map((route) => {
      const routeFields = { booking: { method: routeWord(route, prefix) }, guidance: ROUTE_GUIDANCE[route] };
      const ending = (open: string) =>
        Buffer.from(`,"open_now":${open},${JSON.stringify(routeFields).slice(1, -1)},"url":${urlHead}`);
      return { true: ending('true'), false: ending('false'), null: ending('null') };
    });
  }

  /** Writes the cards between `before` and `after`. */
  write(
    before: string,
    hits: readonly Hit[],
    after: string,
    extra: (hit: Hit) => string,
    languages?: Languages,
  ): Buffer {
    this.#at = 0;
    this.#text(before);
    for (const [i, hit] of hits.entries()) {
      if (i > 0) this.#out[this.#at++] = COMMA;
      this.#card(hit, extra(hit), languages);
    }
    this.#text(after);
    return Buffer.from(this.#out.subarray(0, this.#at));
  }

  #card({ place, open }: Hit, extra: string, languages: Languages | undefined): void {
    const endings = this.#endings[place.method] as Endings;
    const ending = open.open === null ? endings.null : open.open ? endings.true : endings.false;
    this.#reserve(place.cardEnd + ending.length + ID_BYTES + MARKS);
    this.#out[this.#at++] = OPENS;
    if (languages === undefined) this.#bytes(place.bytes, CARD_AT, place.cardEnd);
    else this.#text(withLocalizedName(place.card, readerOf(place, languages)));
    // The localized name may be longer than the one on the card.
    this.#reserve(ending.length + ID_BYTES + MARKS);
    this.#bytes(ending, 0, ending.length);
    this.#bytes(place.bytes, CARD_ID.from, CARD_ID.to);
    this.#out[this.#at++] = QUOTE;
    if (extra !== '') this.#text(extra);
    this.#out[this.#at++] = CLOSES;
  }

  #bytes(bytes: Buffer, from: number, to: number): void {
    this.#at += bytes.copy(this.#out, this.#at, from, to);
  }

  #text(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(text.length * 3 + MARKS);
    this.#at += this.#out.write(text, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#at + bytes));
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }
}

const COUNTRY = /"country":"(\w*)"/;

/** Returns a name reader for a place in the given languages. */
export function readerOf(place: StoredPlace, languages: Languages): NameReader {
  const country = COUNTRY.exec(place.card)?.[1] ?? '';
  return { languages, country, more: (onCard) => languageNames(place.namesOffCard(onCard)) };
}
