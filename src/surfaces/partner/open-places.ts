import { z } from 'zod';
import type { OperationDeps } from '../../core/context.ts';
import { defineOperation, type PreparedAnswer } from '../../core/operation.ts';
import { cachedAnswer } from '../../search/answer-memory.ts';
import { DAY_MINUTES, dayNumber, formatLocalMinute } from '../../directory/hours/compile/compiled-hours.ts';
import { instantOfLocalMinute, localMinuteOf } from '../../directory/hours/zone-clock.ts';
import type { Hit } from '../../search/query/hit.ts';
import { requireDestination } from '../../directory/place/require-place.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { destinationArgument, directoryTool } from '../../search/partner-arguments.ts';
import {
  PARTNER_LIMIT_DEFAULT,
  PLACE_LIST_EXAMPLE,
  placeList,
  placeListFields,
  placeListSchema,
} from '../../search/partner-places.ts';
import { searchPlaces } from '../../search/search-places.ts';

const LOCAL_TIME = 'must be a local time such as 2026-11-14T19:30';

const input = z.object({
  destination: destinationArgument,
  ...placeListFields,
  at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/, { error: LOCAL_TIME, abort: true })
    .refine((text) => z.iso.date().safeParse(text.slice(0, 10)).success, LOCAL_TIME)
    .optional()
    .describe('YYYY-MM-DDTHH:mm on the clocks of the destination; now when left out.'),
  lang: languageArgument,
});

const output = placeListSchema.extend({
  local_time: z.string().describe('YYYY-MM-DDTHH:mm on the clocks of the destination.'),
  timezone: z.string(),
  unverified_count: z
    .int()
    .describe('Places that match but whose hours are not verified: they may be open too.'),
});

export const openPlaces = defineOperation({
  name: 'open_places',
  title: 'Open places',
  containsUntrustedText: true,
  description:
    'Places of one destination that are known to be open, now or at a given local time, and until when. Only places with verified hours are listed.',
  ...directoryTool,
  input,
  output,
  example: {
    input: { destination: 'bali', at: '2026-11-14T20:00', limit: 1 },
    output: {
      ...PLACE_LIST_EXAMPLE,
      places: PLACE_LIST_EXAMPLE.places.map((card) => ({ ...card, open_until: '2026-11-14T15:00:00.000Z' })),
      local_time: '2026-11-14T20:00',
      timezone: 'Asia/Makassar',
      unverified_count: 212,
    },
  },
  run({ deps, now }, args) {
    return cachedAnswer(deps, `open ${JSON.stringify(args)}`, () => answerOpen(deps, args, now));
  },
});

function answerOpen(deps: OperationDeps, args: z.output<typeof input>, now: Date): PreparedAnswer {
  const destination = requireDestination(deps, args.destination);
  const { timezone } = destination;
  const openAt = args.at === undefined ? now : instantOfLocalMinute(timezone, minuteOf(args.at));
  const { category, cuisine, area, cursor, limit = PARTNER_LIMIT_DEFAULT } = args;
  const languages = wantedLanguages(args.lang);
  const search = { destination, category, cuisine, area, openAt, limit, cursor, languages };
  const results = searchPlaces(deps, search, openUntil);
  const number = deps.places.destinationNumber(destination.id);
  return placeList(deps, search, results, args, {
    local_time: formatLocalMinute(localMinuteOf(timezone, openAt)),
    timezone,
    unverified_count:
      number === undefined ? 0 : deps.places.unverifiedIn({ destination: number, category, cuisine, area }),
  });
}

function minuteOf(at: string): number {
  const [hours = 0, minutes = 0] = at.slice(11).split(':').map(Number);
  return dayNumber(at.slice(0, 10)) * DAY_MINUTES + hours * 60 + minutes;
}

function openUntil({ open }: Hit) {
  return { open_until: open.until?.toISOString() ?? null };
}
