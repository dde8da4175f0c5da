import type { Ctx } from '../../core/context.ts';
import { defineOperation } from '../../core/operation.ts';
import { wantedLanguages } from '../../core/text/languages.ts';
import { requirePlace, requireRecord } from '../../directory/place/require-place.ts';
import { openStatusOf } from '../../directory/hours/place-open.ts';
import { onePlaceTool } from '../../search/partner-arguments.ts';
import { namesOf, utc } from '../../directory/place/place-answer.ts';
import { RECORD_EXAMPLE } from '../../directory/place/place-examples.ts';
import { placeRecordSchema, type PlaceRecord } from '../../directory/place/place-fields.ts';
import { recordOf } from '../../directory/place/record-row.ts';
import { recordText } from '../../directory/tool-text/place-text.ts';

export const placeDetails = defineOperation({
  name: 'place_details',
  title: 'Place details',
  containsUntrustedText: true,
  description:
    'The full record of one place: contacts, hours, rating, whether it is open, the booking page that the venue chose. A place that appears to have closed says so and why in closed.',
  ...onePlaceTool,
  output: placeRecordSchema,
  example: { input: { place_id: RECORD_EXAMPLE.place_id }, output: RECORD_EXAMPLE },
  async run(ctx, { place_id, lang }) {
    const { row, destination } = await requireRecord(ctx, place_id);
    const { prefix, baseUrl, serviceName } = ctx.deps.config;
    const moment = { timezone: destination.timezone, now: ctx.now, prefix, baseUrl, serviceName };
    const record = recordOf(row, moment, row.closed ? await closureOf(ctx, place_id) : null);
    const { country } = destination;
    return { ...record, ...namesOf({ ...row, country }, wantedLanguages(lang) ?? []) };
  },
  summarize: recordText,
});

async function closureOf(ctx: Ctx, placeId: string): Promise<PlaceRecord['closed']> {
  const { place, destination } = await requirePlace(ctx, placeId);
  const { evidence, text, checked_at } = openStatusOf(place, destination.timezone, ctx.now);
  return { evidence, text, checked_at: utc(checked_at) };
}
