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
  username: text(1, 200).refine((value) => !value.includes(':'), 'must not contain a colon'),
  password: z.string().max(500),
  duration_minutes: z.int().min(15).max(MINUTES_MAX),
  accepts_desk_contact: z.enum(['yes', 'no']),
  enabled: z.enum(['yes', 'no']),
});

const YES_NO = [
  ['no', 'No'],
  ['yes', 'Yes'],
] as const;

/** Form for the connection to the venue's own booking system. The password is write-only. */
export function connectorForm(
  req: PageRequest,
  placeId: string,
  connector: VenueConnector | undefined,
  { action: submittedAction, form: submitted, faults }: PageState,
): Html {
  const storedValues: Record<string, string> = connector === undefined ? {} : valuesOf(connector);
  const field = (name: string) => {
    const id = `connector-${name}`;
    if (submittedAction !== 'set_connector') return { name, id, value: storedValues[name] };
    const value = name === 'password' ? '' : (submitted?.get(name) ?? '');
    return { name, id, value, fault: faults?.[name] };
  };
  const action = `/console/places/${placeId}/connector`;
  return form(
    req,
    action,
    html`<h2>The venue's booking system</h2>
      <p class="soft">
        A system with the Booking Server API v3. It is asked first, with the desk's contact instead of the
        guest's.
      </p>
      ${textField({ ...field('base_url'), label: 'Address', hint: 'The part before /v3/.', type: 'url', maxlength: 2000, required: true })}
      ${textField({ ...field('merchant_id'), label: 'Merchant id', maxlength: 200, required: true })}
      ${textField({ ...field('service_id'), label: 'Service id', maxlength: 200, required: true })}
      ${textField({ ...field('username'), label: 'User name', maxlength: 200, autocomplete: 'off', required: true })}
      ${textField({
        ...field('password'),
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        maxlength: 500,
        ...(connector !== undefined && { hint: 'Leave empty to keep the stored one.' }),
        required: connector === undefined,
      })}
      ${textField({ ...field('duration_minutes'), value: field('duration_minutes').value ?? '90', label: 'Minutes at a table', inputmode: 'numeric', maxlength: 4, required: true })}
      ${choiceField({ ...field('accepts_desk_contact'), label: "The venue agreed to the desk's contact", choices: YES_NO })}
      ${choiceField({ ...field('enabled'), value: field('enabled').value ?? 'yes', label: 'In use', choices: YES_NO })}
      <p class="row-forms">
        <button class="button plain" type="submit">Save the system</button>
        ${
          connector !== undefined &&
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
        connector !== undefined &&
        html`<details>
          <summary>Remove the system</summary>
          <p>Its password is deleted too. The venue is then asked by message or telephone.</p>
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

function valuesOf(connector: VenueConnector): Record<string, string> {
  return {
    base_url: connector.baseUrl,
    merchant_id: connector.merchantId,
    service_id: connector.serviceId,
    username: connector.username,
    password: '',
    duration_minutes: String(Math.round(connector.durationSec / 60)),
    accepts_desk_contact: connector.acceptsDeskContact ? 'yes' : 'no',
    enabled: connector.enabled ? 'yes' : 'no',
  };
}
