import { z } from 'zod';
import { defineOperation, PreparedAnswer } from '../../core/operation.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { bookingAskFields, checkBookingDate } from '../../directory/booking-route/booking-ask.ts';
import { requirePlace } from '../../directory/place/require-place.ts';
import { fitMenu } from '../../directory/place/menu-sections.ts';
import {
  DESTINATION_EXAMPLE,
  placeAnswer,
  placeAnswerSchema,
  partialMenuSchema,
  type PlaceAnswer,
} from '../../directory/place/place-answer.ts';
import { joinLines } from '../../core/text/tool-text.ts';
import { placeText } from '../../directory/tool-text/place-text.ts';
import { agentReadTool } from './agent-tool.ts';

const input = z.object({
  place_id: z.string().min(1).max(64).describe('plc_…, from a search.'),
  ...bookingAskFields,
  lang: languageArgument,
});

const GUIDANCE = 'Send the traveller to booking.url; nothing is booked until they finish there.';

const EXAMPLE: PlaceAnswer = {
  place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
  name: 'Warung Senja',
  vertical: 'restaurant',
  category: 'seafood',
  cuisine: ['indonesian'],
  destination: DESTINATION_EXAMPLE,
  country: 'ID',
  city: 'Bali',
  area: 'Jimbaran',
  areas: ['Jimbaran', 'Kuta Selatan', 'Badung'],
  address: null,
  lat: -8.77,
  lng: 115.17,
  position_known: true,
  phone: null,
  website: 'https://warung-senja.example',
  languages: ['en', 'id'],
  price_range: '$$',
  about: 'Grilled fish on the beach.',
  facts: { wheelchair: 'limited', outdoor_seating: 'yes', payment: ['cash', 'cards'] },
  badge: 'claimed',
  rating: { value: 4.5, count: 312, source: 'public' },
  hours: {
    structured: {
      mon: [['11:00', '22:00']],
      tue: [['11:00', '22:00']],
      wed: [['11:00', '22:00']],
      thu: [['11:00', '22:00']],
      fri: [['11:00', '23:00']],
      sat: [['11:00', '23:00']],
      sun: [],
    },
    text: 'Mo-Th 11:00-22:00; Fr,Sa 11:00-23:00',
    verified: true,
    source: 'venue_website',
    observed_at: '2026-09-02T08:00:00.000Z',
  },
  open_now: true,
  open_status: {
    state: 'open',
    evidence: null,
    text: 'Open until 23:00 local time.',
    checked_at: '2026-09-02T08:00:00.000Z',
    next_change_at: '2026-11-14T15:00:00.000Z',
  },
  closure_belief: { believed_closed: false, confidence: 'none', evidence: [], checked_at: null },
  accolades: [],
  menu: {
    available: true,
    source: 'owner',
    updated_at: '2026-10-01T04:00:00.000Z',
    currency: 'IDR',
    sections: [
      {
        name: 'From the grill',
        items: [
          { name: 'Ikan bakar', description: 'With three sambals', price: '85.000', price_minor: null },
        ],
      },
    ],
  },
  promotions: [],
  booking: {
    method: 'venue_system',
    url: 'https://www.sevenrooms.com/reservations/warungsenja?default_date=2026-11-20&default_party_size=4&default_time=19%3A30',
    chosen_by_venue: true,
    phone: null,
    platform: 'sevenrooms',
    prefilled: { party_size: true, date: true, time: true },
    guidance: GUIDANCE,
  },
  guidance: GUIDANCE,
  photos: [],
  sources: [
    {
      name: 'OpenStreetMap',
      ref: 'node/240949599',
      fields: ['name', 'lat', 'lng', 'website', 'facts'],
      observed_at: '2026-08-11T09:30:00.000Z',
    },
  ],
  submitted_fields: [],
  submitted_by: null,
  updated_at: '2026-10-01T04:00:00.000Z',
};

export const getPlaceForAgents = defineOperation({
  name: 'get_place',
  title: 'Get one place',
  description:
    'The full record of one place: contacts, hours, menu, how to book it, whether it has closed. Costs one read.',
  tag: 'directory',
  ...agentReadTool,
  containsUntrustedText: true,
  metered: true,
  rest: { method: 'GET', path: '/api/agent/business/{place_id}' },
  input,
  output: placeAnswerSchema,
  toolOutput: placeAnswerSchema.extend({ menu: partialMenuSchema }),
  failures: ['place_not_found', 'place_removed', 'daily_quota_exhausted', 'rate_limited'],
  example: {
    input: { place_id: EXAMPLE.place_id, party_size: 4, date: '2026-11-20', time: '19:30' },
    output: EXAMPLE,
  },
  async run(ctx, { place_id, lang, ...ask }) {
    const { place, destination } = await requirePlace(ctx, place_id);
    checkBookingDate(ask, destination.timezone, ctx.now);
    const languages = wantedLanguages(lang);
    const { config, destinations } = ctx.deps;
    const answer = placeAnswer(place, destination, ask, { now: ctx.now, ...config }, languages);
    return withFittingMenu(answer, destinations.current.attribution, `${config.baseUrl}/p/${place_id}`);
  },
  summarize: placeText,
});

/** As a tool, cuts a very long menu to what fits into a conversation, and links to the rest. */
function withFittingMenu(
  answer: PlaceAnswer,
  attribution: { attribution: string },
  page: string,
): PlaceAnswer | PreparedAnswer {
  const { sections, left } = fitMenu(answer.menu.sections);
  if (left === 0) return answer;
  const brief = { ...answer, menu: { ...answer.menu, sections, left_out: left } };
  return new PreparedAnswer(
    JSON.stringify({ ...answer, ...attribution }),
    () => joinLines(placeText(brief), `${left} more dishes: ${page}`, attribution.attribution),
    () => JSON.stringify({ ...brief, ...attribution }),
  );
}
