import { z } from 'zod';
import { findAskablePlace, planChannels } from '../../bookings/asking/channel-plan.ts';
import { READS_A_MINUTE } from '../../bookings/request/limits.ts';
import { permanentRefusalSet, permanentRefusal } from '../../bookings/request/permanent-refusal.ts';
import type { Ctx } from '../../core/context.ts';
import { defineOperation } from '../../core/operation.ts';
import { DAY_MS } from '../../core/time.ts';
import { requirePlace } from '../../directory/place/require-place.ts';
import { routeOf } from '../../directory/place/place-answer.ts';
import { phoneFields, prefilledSchema } from '../../directory/place/place-fields.ts';
import { phoneTexts, shownPhones } from '../../directory/place/shown-phones.ts';
import examples from './examples.json' with { type: 'json' };

const GUIDANCE =
  'Nothing is booked. Ask for date, time, number of people and a name; check_availability looks, request_table asks, and the venue decides.';

const hostField = (what: string) =>
  z
    .string()
    .max(2_000)
    .optional()
    .describe(`${what}, which a host may show while loading. We do not read it.`);

/** Opens when somebody presses Reserve. Assistants prescribe its name and its input for every provider. */
export const restaurantReservation = defineOperation({
  name: 'restaurant_reservation',
  title: 'Reserve at a restaurant',
  containsUntrustedText: true,
  description:
    'Opens the form with which a guest asks one restaurant for a table, and says whether it can be asked. Asks nobody and books nothing: booked is always false, because the venue decides on a request.',
  tag: 'bookings',
  effect: 'read',
  access: { who: 'partner' },
  rateLimits: [READS_A_MINUTE],
  tools: ['reserve'],
  input: z.object({
    restaurant_id: z.string().min(1).max(40).describe('id of a business in our feed; begins with plc_.'),
    restaurant_name: hostField('The name'),
    restaurant_image: hostField('A picture'),
    restaurant_address: z
      .object({
        address: hostField('Street and number'),
        city: hostField('The city'),
        state: hostField('The state'),
        zipcode: hostField('The postal code'),
        country: hostField('The country'),
      })
      .optional()
      .describe('The address, which a host may show while loading. We do not read it.'),
  }),
  output: z.object({
    restaurant_id: z.string(),
    place_id: z.string().describe('The same id, as the other tools name it.'),
    name: z.string(),
    address: z.string().nullable(),
    city: z.string().describe('Its destination.'),
    country: z.string(),
    timezone: z.string().describe('Dates and times of a table are local to it.'),
    ...phoneFields,
    website: z.string().nullable(),
    page: z.string().describe('The full listing.'),
    can_request: z.boolean(),
    refusal: permanentRefusalSet.schema.nullable().describe('Why request_table would refuse.'),
    link: z
      .object({ url: z.string().nullable(), prefilled: prefilledSchema, guidance: z.string() })
      .nullable()
      .describe("The venue's own booking page, where it takes bookings only there."),
    booked: z.literal(false),
    guidance: z.string(),
  }),
  example: examples.restaurant_reservation,
  async run(ctx, { restaurant_id: id }) {
    const { place, destination } = await requirePlace(ctx, id);
    const refusal = await refusalOf(ctx, id);
    const { url, prefilled, guidance } = routeOf(place, {}, ctx.deps.config.prefix);
    return {
      restaurant_id: id,
      place_id: id,
      name: place.name,
      address: place.address,
      city: destination.name,
      country: place.country,
      timezone: destination.timezone,
      ...shownPhones(place),
      website: place.website,
      page: `${ctx.deps.config.baseUrl}/p/${id}`,
      can_request: refusal === null,
      refusal,
      link: refusal === 'use_link' || refusal === 'not_bookable_here' ? { url, prefilled, guidance } : null,
      booked: false as const,
      guidance: refusal === null ? GUIDANCE : `Nothing is booked. ${guidance}`,
    };
  },
  summarize({ place_id, name, city, can_request, refusal, link, guidance, ...phones }) {
    const availability = can_request
      ? 'A table can be requested'
      : `No table can be requested (${refusal ?? ''})`;
    const contacts = [...phoneTexts(phones), link?.url ?? null]
      .filter((contact) => contact !== null)
      .join(', ');
    return `${name}, ${city}: ${availability}; place_id ${place_id}.${contacts === '' ? '' : ` ${contacts}.`} ${guidance}`;
  },
});

/** Refusal that applies at any time; check_availability reports those that depend on date and time. */
async function refusalOf(ctx: Ctx, id: string): ReturnType<typeof permanentRefusal> {
  const askable = await findAskablePlace(ctx.db, id);
  if (askable === undefined) return 'place_closed';
  return permanentRefusal(ctx, askable, planChannels(ctx.deps, askable, DAY_MS));
}
