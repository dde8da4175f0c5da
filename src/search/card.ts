import { z } from 'zod';
import { ROUTE_GUIDANCE, routeWord } from '../directory/booking-route/guidance.ts';
import { kindFields, openNowSchema, whereFields } from '../directory/place/place-answer.ts';
import { INDEXED_ROUTES } from './build/document.ts';
import type { Hit } from './query/search-index.ts';

/** What a search shows of a place. One shape on all surfaces. */
export const cardSchema = z.object({
  ...kindFields,
  destination: z.string().describe('Slug of the destination.'),
  ...whereFields,
  rating: z.number().nullable(),
  review_count: z.int(),
  price_range: z.string().nullable(),
  badge: z.string().describe('claimed: the venue claimed its listing. mapped: it did not.'),
  open_now: openNowSchema,
  booking: z.object({ method: z.string() }),
  guidance: z.string().describe('A sentence to follow as written.'),
  url: z.string().describe('The page of the place.'),
  open_until: z.string().nullable().optional().describe('When it closes, in UTC.'),
  distance_m: z.int().optional().describe('Metres from the point that was asked for.'),
});

/** What descriptions show. */
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
  rating: 4.6,
  review_count: 312,
  price_range: '$$',
  badge: 'mapped',
  open_now: true,
  booking: { method: 'phone' },
  guidance: ROUTE_GUIDANCE.phone,
  url: 'https://waypost.example/p/plc_01kdtqb00071qz6sbs7e2vkqza',
};

/** Writes cards as text: most of a card lies ready in the index, and building objects would cost more than the search. */
export class CardWriter {
  readonly #endings: string[];
  readonly #urlHead: string;

  constructor(baseUrl: string, prefix: string) {
    this.#endings = INDEXED_ROUTES.map((route) =>
      JSON.stringify({
        booking: { method: routeWord(route, prefix) },
        guidance: ROUTE_GUIDANCE[route],
      }).slice(1, -1),
    );
    this.#urlHead = JSON.stringify(`${baseUrl}/p/`).slice(0, -1);
  }

  write(hit: Hit, extra = ''): string {
    const { place_id, card, method } = hit.row;
    const open = hit.open.open === null ? 'null' : hit.open.open ? 'true' : 'false';
    return `{"place_id":"${place_id}",${card},"open_now":${open},${this.#endings[method] ?? ''},"url":${this.#urlHead}${place_id}"${extra}}`;
  }
}
