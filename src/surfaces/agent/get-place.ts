import { z } from 'zod';
import { defineOperation, PreparedAnswer } from '../../core/operation.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { bookingAskFields, checkBookingDate } from '../../directory/booking-route/booking-ask.ts';
import { requirePlace } from '../../directory/place/require-place.ts';
import { fitMenu } from '../../directory/place/menu-sections.ts';
import { placeAnswer } from '../../directory/place/place-answer.ts';
import {
  partialMenuSchema,
  placeAnswerSchema,
  type PlaceAnswer,
} from '../../directory/place/place-fields.ts';
import { joinLines } from '../../core/text/tool-text.ts';
import { placeText } from '../../directory/tool-text/place-text.ts';
import { localizeAreas } from '../../search/localize-place.ts';
import { agentReadTool } from './agent-tool.ts';
import examples from './examples.json' with { type: 'json' };

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
  input: z.object({
    place_id: z.string().min(1).max(64).describe('plc_…, from a search.'),
    ...bookingAskFields,
    lang: languageArgument,
  }),
  output: placeAnswerSchema,
  toolOutput: placeAnswerSchema.extend({ menu: partialMenuSchema }),
  failures: ['place_not_found', 'place_removed', 'daily_quota_exhausted', 'rate_limited'],
  example: examples.get_place,
  async run(ctx, { place_id, lang, ...ask }) {
    const { place: stored, destination } = await requirePlace(ctx, place_id);
    checkBookingDate(ask, destination.timezone, ctx.now);
    const languages = wantedLanguages(lang);
    const place = localizeAreas(ctx.deps, stored, languages);
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
