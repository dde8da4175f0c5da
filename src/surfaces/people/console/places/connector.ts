import { z } from 'zod';
import { BookingServerError } from '../../../../bookings/booking-server/booking-server.ts';
import {
  openConnector,
  removeConnector,
  setConnector,
  type VenueConnector,
} from '../../../../bookings/booking-server/venue-connector.ts';
import type { Deps } from '../../../../core/context.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { text, webAddress } from '../../../../core/text/text.ts';
import { actionForm } from '../../form/action-form.ts';
import { choiceInput, numberInput, passwordInput, textInput } from '../../form/fields.ts';
import { defineAction, refuse, type ActionResult } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { leads, type Staff } from '../../person/people.ts';
import { placeFromUrl } from './place-record.ts';

const PATH = '/console/places/:id/connector';
const MINUTES_MAX = 24 * 60;
const YES_NO = [
  ['no', 'No'],
  ['yes', 'Yes'],
] as const;
const idLook = { maxlength: 200, required: true };

/** Saves the connection to the venue's own booking system. The password is write-only. */
const saveConnector = defineAction({
  name: 'set_connector',
  path: PATH,
  who: leads,
  title: "The venue's booking system",
  help: "A system with the Booking Server API v3. It is asked first, with the desk's contact instead of the guest's.",
  fields: {
    base_url: textInput(webAddress().min(1, 'must not be empty'), {
      label: 'Address',
      hint: 'The part before /v3/.',
      type: 'url',
      maxlength: 2000,
      required: true,
    }),
    merchant_id: textInput(text(1, 200), { label: 'Merchant id', ...idLook }),
    service_id: textInput(text(1, 200), { label: 'Service id', ...idLook }),
    username: textInput(
      text(1, 200).refine((value) => !value.includes(':'), 'must not contain a colon'),
      { label: 'User name', autocomplete: 'off', ...idLook },
    ),
    password: passwordInput(z.string().max(500), {
      label: 'Password',
      autocomplete: 'new-password',
      maxlength: 500,
      required: true,
    }),
    duration_minutes: numberInput(z.int().min(15).max(MINUTES_MAX), {
      label: 'Minutes at a table',
      maxlength: 4,
      required: true,
    }),
    accepts_desk_contact: choiceInput(YES_NO, { label: "The venue agreed to the desk's contact" }),
    enabled: choiceInput(YES_NO, { label: 'In use' }),
  },
  callbackUrlFields: ['base_url'],
  button: 'Save the system',
  plain: true,
  done: "The venue's booking system is saved.",
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
  },
});

const checkConnector = defineAction({
  name: 'check_connector',
  path: `${PATH}/check`,
  who: leads,
  button: 'Try it',
  async run(act) {
    const { id } = await placeFromUrl(act.db, act);
    act.unchanged();
    act.afterCommit(({ deps }) => tryConnector(deps, id));
    return { again: {} };
  },
});

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

const dropConnector = defineAction({
  name: 'remove_connector',
  path: `${PATH}/remove`,
  who: leads,
  button: 'Remove',
  danger: true,
  done: "The venue's booking system is no longer asked.",
  async run(act) {
    const { id } = await placeFromUrl(act.db, act);
    if (await removeConnector(act.db, id)) act.audit(id);
    else act.unchanged();
  },
});

export const CONNECTOR_ACTIONS = [saveConnector, checkConnector, dropConnector] as const;

/** Forms that save, try and remove the connection. */
export function connectorForms(
  req: PageRequest<Staff>,
  { placeId, connector }: { placeId: string; connector: VenueConnector | undefined },
  state: PageState,
): Html {
  if (connector === undefined)
    return html`<section class="card folds">
      ${actionForm(req, saveConnector, state, {
        fold: 'closed',
        values: { duration_minutes: '90', enabled: 'yes' },
      })}
    </section>`;
  return html`<section class="card flow">
    ${actionForm(req, saveConnector, state, {
      className: 'flow',
      fields: { password: { hint: 'Leave empty to keep the stored one.', required: false } },
      values: {
        base_url: connector.baseUrl,
        merchant_id: connector.merchantId,
        service_id: connector.serviceId,
        username: connector.username,
        duration_minutes: String(Math.round(connector.durationSec / 60)),
        accepts_desk_contact: connector.acceptsDeskContact ? 'yes' : 'no',
        enabled: connector.enabled ? 'yes' : 'no',
      },
    })}
    ${actionForm(req, checkConnector, state)}
    <p class="hint">
      The system can report a changed or cancelled table to
      <code>${req.deps.config.baseUrl}/webhooks/venue-system/${placeId}</code>, with the same user name and
      password; the table is then checked at once.
    </p>
    <details>
      <summary>Remove the system</summary>
      <p>Its password is deleted too. The venue is then asked by message or telephone.</p>
      ${actionForm(req, dropConnector, state)}
    </details>
  </section>`;
}
