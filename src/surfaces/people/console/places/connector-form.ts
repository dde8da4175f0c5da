import { z } from 'zod';
import type { VenueConnector } from '../../../../bookings/booking-server/venue-connector.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { text, webAddress } from '../../../../core/text/text.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';

const MINUTES_MAX = 24 * 60;

export const connectorFields = z.object({
  base_url: webAddress().min(1, 'must not be empty'),
  merchant_id: text(1, 200),
  service_id: text(1, 200),
  username: text(1, 200).refine((value) => !value.includes(':'), 'must not hold a colon'),
  password: z.string().max(500),
  duration_minutes: z.int().min(15).max(MINUTES_MAX),
  accepts_desk_contact: z.enum(['yes', 'no']),
  enabled: z.enum(['yes', 'no']),
});

const YES_NO = [
  ['no', 'No'],
  ['yes', 'Yes'],
] as const;

/** How the venue's own booking system is set up. The password is written, and never shown. */
export function connectorForm(
  req: PageRequest,
  placeId: string,
  held: VenueConnector | undefined,
  { action: sentTo, form: sent, faults }: PageState,
): Html {
  const known: Record<string, string> = held === undefined ? {} : valuesOf(held);
  const field = (name: string) => {
    const id = `connector-${name}`;
    if (sentTo !== 'set_connector') return { name, id, value: known[name] };
    const value = name === 'password' ? '' : (sent?.get(name) ?? '');
    return { name, id, value, fault: faults?.[name] };
  };
  const action = `/console/places/${placeId}/connector`;
  return form(
    req,
    action,
    html`<h2>The venue's booking system</h2>
      <p class="soft">
        One that speaks the Booking Server API v3. It is asked first, with the desk's contact in place of the
        guest's.
      </p>
      ${textField({ ...field('base_url'), label: 'Address', hint: 'What stands before /v3/.', type: 'url', maxlength: 2000, required: true })}
      ${textField({ ...field('merchant_id'), label: 'Merchant id', maxlength: 200, required: true })}
      ${textField({ ...field('service_id'), label: 'Service id', maxlength: 200, required: true })}
      ${textField({ ...field('username'), label: 'User name', maxlength: 200, autocomplete: 'off', required: true })}
      ${textField({
        ...field('password'),
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        maxlength: 500,
        ...(held !== undefined && { hint: 'Empty: the one that is held stays.' }),
        required: held === undefined,
      })}
      ${textField({ ...field('duration_minutes'), value: field('duration_minutes').value ?? '90', label: 'Minutes at a table', inputmode: 'numeric', maxlength: 4, required: true })}
      ${choiceField({ ...field('accepts_desk_contact'), label: "The venue agreed to the desk's contact", choices: YES_NO })}
      ${choiceField({ ...field('enabled'), value: field('enabled').value ?? 'yes', label: 'In use', choices: YES_NO })}
      <p class="row-forms">
        <button class="button plain" type="submit">Save the system</button>
        ${
          held !== undefined &&
          html`<button
            class="button plain"
            type="submit"
            formaction="${safeHref(`${action}/check`)}"
            formnovalidate
          >
            Try it
          </button>`
        }
      </p>
      ${
        held !== undefined &&
        html`<details>
          <summary>Remove the system</summary>
          <p>The password is forgotten with it. The venue is asked by message or telephone from then on.</p>
          <button
            class="button danger"
            type="submit"
            formaction="${safeHref(`${action}/remove`)}"
            formnovalidate
          >
            Remove
          </button>
        </details>`
      }`,
    { className: 'card flow' },
  );
}

function valuesOf(held: VenueConnector): Record<string, string> {
  return {
    base_url: held.baseUrl,
    merchant_id: held.merchantId,
    service_id: held.serviceId,
    username: held.username,
    password: '',
    duration_minutes: String(Math.round(held.durationSec / 60)),
    accepts_desk_contact: held.acceptsDeskContact ? 'yes' : 'no',
    enabled: held.enabled ? 'yes' : 'no',
  };
}
