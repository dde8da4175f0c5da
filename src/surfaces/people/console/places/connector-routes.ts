import type { FastifyInstance, FastifyReply } from 'fastify';
import { BookingServerError } from '../../../../bookings/booking-server/booking-server.ts';
import {
  openConnector,
  removeConnector,
  setConnector,
} from '../../../../bookings/booking-server/venue-connector.ts';
import { recordAudit } from '../../../../core/audit.ts';
import type { Deps } from '../../../../core/context.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { EgressError } from '../../../../core/egress/egress-error.ts';
import { vetUrl } from '../../../../core/egress/egress-target.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { readFields } from '../../form/read-fields.ts';
import { consoleRoute, LEADS, type PageRequest } from '../console-route.ts';
import { connectorFields } from './connector-form.ts';
import { sendPlacePage } from './place-page.ts';
import { placeOf } from './visited-place.ts';

/** Setting up the venue's own booking system, trying it, and taking it away. */
export function addConnector(scope: FastifyInstance, deps: Deps): void {
  const path = '/console/places/:id/connector';
  consoleRoute(scope, deps, { method: 'POST', path, roles: LEADS, handle: save });
  consoleRoute(scope, deps, { method: 'POST', path: `${path}/check`, roles: LEADS, handle: check });
  consoleRoute(scope, deps, { method: 'POST', path: `${path}/remove`, roles: LEADS, handle: remove });
}

async function save(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, now } = visit;
  const place = await placeOf(visit);
  const read = readFields(form, connectorFields, ['duration_minutes']);
  if (!read.ok) return refuse(visit, place, read.faults);
  const { values } = read;
  const fault = await addressFault(deps, values.base_url);
  if (fault !== undefined) return refuse(visit, place, { base_url: fault });
  const outcome = await deps.pool.begin(async (tx) => {
    const set = await setConnector(tx, { key: deps.secrets.connector, now }, place.id, {
      baseUrl: values.base_url.replace(/\/+$/, ''),
      merchantId: values.merchant_id,
      serviceId: values.service_id,
      username: values.username,
      password: values.password === '' ? undefined : values.password,
      durationSec: values.duration_minutes * 60,
      acceptsDeskContact: values.accepts_desk_contact === 'yes',
      enabled: values.enabled === 'yes',
    });
    if (set === 'set') await audit(visit, tx, place, 'set_connector', { base_url: values.base_url });
    return set;
  });
  if (outcome === 'password_needed') return refuse(visit, place, { password: 'This must not be empty.' });
  return visit.reply.redirect(`/console/places/${place.id}?done=connector`, 303);
}

/** An address that may not be called is told of now, not when the first guest waits for a table. */
async function addressFault(deps: Deps, url: string): Promise<string | undefined> {
  try {
    await vetUrl(deps.egress, url);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof EgressError) return thrown.message;
    throw thrown;
  }
}

async function check(visit: PageRequest): Promise<FastifyReply> {
  const place = await placeOf(visit);
  const connector = await openConnector(visit.deps, place.id);
  if (connector === undefined)
    return told(visit, place, 'bad', 'It is not in use: save it, with the consent of the venue, first.');
  try {
    await connector.server.checkHealth();
    return await told(visit, place, 'good', "The venue's system answers.");
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    return told(visit, place, 'bad', thrown.message);
  }
}

async function remove(visit: PageRequest): Promise<FastifyReply> {
  const place = await placeOf(visit);
  await visit.deps.pool.begin(async (tx) => {
    if (await removeConnector(tx, place.id)) await audit(visit, tx, place, 'remove_connector', {});
  });
  return visit.reply.redirect(`/console/places/${place.id}?done=connector_removed`, 303);
}

function audit(
  { staff, request, now }: PageRequest,
  tx: Db,
  place: Place,
  operation: string,
  detail: Record<string, string>,
): Promise<void> {
  return recordAudit(tx, {
    at: now,
    actor: staff.id,
    operation,
    requestId: request.id,
    subject: place.id,
    detail,
  });
}

function told(visit: PageRequest, place: Place, kind: 'good' | 'bad', text: string): Promise<FastifyReply> {
  return sendPlacePage(visit, place, { notice: { kind, text } });
}

function refuse(visit: PageRequest, place: Place, faults: Record<string, string>): Promise<FastifyReply> {
  const sent = { form: 'connector' as const, values: visit.form, faults };
  return sendPlacePage({ ...visit, reply: visit.reply.code(422) }, place, { sent });
}
