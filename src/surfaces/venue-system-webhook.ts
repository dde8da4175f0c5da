import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isConnectorCredential } from '../bookings/booking-server/venue-connector.ts';
import { wantCheck } from '../bookings/channels/venue-system/want-check.ts';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { parseJsonBody } from '../core/egress/answer-json.ts';
import type { RateLimit } from '../core/operation.ts';
import { MINUTE_MS } from '../core/time.ts';
import type { Action } from './people/person/action.ts';
import { callers } from './people/person/audience.ts';
import { addRawAction } from './people/person/person-route.ts';

const BODY_BYTES_MAX = 16 * 1024;

/** Receives reports of venues' own booking systems that a table has changed. Each report leads to a check there. */
export function addVenueSystemWebhook(app: FastifyInstance, deps: Deps): void {
  addRawAction(app, deps, reportChange, BODY_BYTES_MAX);
}

/** A venue's system, identified by the credentials with which we call it. */
const venueSystemCaller = callers<{ placeId: string }>(refused, {
  async find(deps, request) {
    const { placeId = '' } = request.params as { placeId?: string };
    return (await isConnectorCredential(deps, placeId, request.headers.authorization))
      ? { placeId }
      : undefined;
  },
  actor: ({ placeId }) => `venue_system:${placeId}`,
  verifyOrigin: () => undefined,
});

function refused(): AppError {
  return new AppError('missing_credentials', "These are not the credentials of the venue's system.", {
    hint: 'Send the user name and password with which this service calls your system, by HTTP Basic authentication.',
    headers: { 'www-authenticate': 'Basic realm="venue system"' },
  });
}

const PER_MINUTE: RateLimit = {
  name: 'venue-system-reports',
  windowMs: MINUTE_MS,
  max: () => 120,
  message: 'Too many changes were reported within a minute.',
};

/** A report has the id of the booking in the venue's system, by itself or at the end of a resource name. */
const reportSchema = z
  .object({ booking_id: z.string().min(1).max(200) })
  .or(z.object({ name: z.string().regex(/\/bookings\/[^/]{1,200}$/) }));

const reportChange: Action<{ placeId: string }> = {
  name: 'report_table_change',
  path: '/webhooks/venue-system/:placeId',
  who: venueSystemCaller,
  rateLimits: [PER_MINUTE],
  async run(act) {
    const { body } = act.request;
    const report = reportSchema.safeParse(Buffer.isBuffer(body) ? parseJsonBody(body) : undefined);
    if (!report.success)
      throw new AppError('bad_request', 'A report is a JSON object with the booking_id of your system.');
    const { data } = report;
    const ref = 'booking_id' in data ? data.booking_id : (data.name.split('/').at(-1) ?? '');
    const checking = await wantCheck(act.db, act.person.placeId, ref, act.now);
    act.unchanged();
    return { show: ({ reply }) => reply.send({ checking }) };
  },
};
