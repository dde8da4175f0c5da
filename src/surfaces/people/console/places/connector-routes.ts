import type { FastifyInstance } from 'fastify';
import { BookingServerError } from '../../../../bookings/booking-server/booking-server.ts';
import {
  openConnector,
  removeConnector,
  setConnector,
} from '../../../../bookings/booking-server/venue-connector.ts';
import type { Deps } from '../../../../core/context.ts';
import { refuse, type Action, type ActionResult } from '../../person/action.ts';
import { LEAD_ROLES, staff, type Staff } from '../../person/people.ts';
import { addActions } from '../../person/person-route.ts';
import { connectorFields } from './connector-form.ts';
import { sendPlacePage } from './place-page.ts';
import { placeFromUrl } from './visited-place.ts';

const PATH = '/console/places/:id/connector';
const LEAD = staff(LEAD_ROLES);

/** Adds the actions that set up, test and remove the connection to the venue's own booking system. */
export function addConnector(scope: FastifyInstance, deps: Deps): void {
  addActions(scope, deps, save, check, remove);
}

const save: Action<Staff, typeof connectorFields> = {
  name: 'set_connector',
  path: PATH,
  who: LEAD,
  form: connectorFields,
  numbers: ['duration_minutes'],
  callbackUrlFields: ['base_url'],
  async run(act, values) {
    const { id } = await placeFromUrl(act.db, act);
    const { base_url, password } = values;
    const outcome = await setConnector(act.db, { key: act.deps.secrets.connector, now: act.now }, id, {
      baseUrl: base_url.replace(/\/+$/, ''),
      merchantId: values.merchant_id,
      serviceId: values.service_id,
      username: values.username,
      password: password === '' ? undefined : password,
      durationSec: values.duration_minutes * 60,
      acceptsDeskContact: values.accepts_desk_contact === 'yes',
      enabled: values.enabled === 'yes',
    });
    if (outcome === 'password_needed') refuse({ faults: { password: 'This must not be empty.' } });
    act.audit(id, { base_url });
    return { to: `/console/places/${id}?done=connector` };
  },
  page: sendPlacePage,
};

const check: Action<Staff> = {
  name: 'check_connector',
  path: `${PATH}/check`,
  who: LEAD,
  async run(act) {
    const { id } = await placeFromUrl(act.db, act);
    act.unchanged();
    act.afterCommit(({ deps }) => tryConnector(deps, id));
    return { again: {} };
  },
  page: sendPlacePage,
};

async function tryConnector(deps: Deps, placeId: string): Promise<ActionResult> {
  const bad = (text: string) => ({ again: { notice: { kind: 'bad', text } } }) as const;
  const connector = await openConnector(deps, placeId);
  if (connector === undefined) return bad('It is not in use: save it first, with the consent of the venue.');
  try {
    await connector.server.checkHealth();
    return { again: { notice: { kind: 'good', text: "The venue's system answers." } } };
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    return bad(thrown.message);
  }
}

const remove: Action<Staff> = {
  name: 'remove_connector',
  path: `${PATH}/remove`,
  who: LEAD,
  async run(act) {
    const { id } = await placeFromUrl(act.db, act);
    if (await removeConnector(act.db, id)) act.audit(id);
    else act.unchanged();
    return { to: `/console/places/${id}?done=connector_removed` };
  },
  page: sendPlacePage,
};
