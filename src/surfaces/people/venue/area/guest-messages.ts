import { z } from 'zod';
import { CLOCK_TIME } from '../../../../core/time.ts';
import { isUnseen, type CodedMessage } from '../../../../bookings/coded/coded-message.ts';
import { acknowledgeMessages, sendToPartner } from '../../../../bookings/coded/message-partner.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { recordOutcome, TABLE_OUTCOMES } from '../../../../bookings/outcomes/table-outcome.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { codedMessageList } from '../../coded-message-list.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput, textInput } from '../../form/fields.ts';
import { userText, valueButton } from '../../frame/components.ts';
import { conflict, defineAction, type ActionContext, type ActionResult } from '../../person/action.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import type { VenueCode } from '../../../../webhooks/coded-message-sets.ts';
import { areaLanguage, type AreaLanguage } from '../language/area-language.ts';
import { tableLine } from './table-cards.ts';

const PATH = '/venue/tables';
const booking = hiddenInput(z.string().max(40));
const TIMED = ['ready_later', 'kitchen_closes'] as const;

const sendTimed = defineAction({
  name: 'message_partner',
  path: `${PATH}/message`,
  who: venue,
  fields: {
    booking,
    message: hiddenInput(z.enum(TIMED)),
    at: textInput(z.string().regex(CLOCK_TIME), { label: 'Time', type: 'time', required: true }),
  },
  run: (act, { booking: bookingId, message, at }) => send(act, bookingId, message, at),
});

const askToConfirm = defineAction({
  name: 'message_partner',
  path: `${PATH}/confirm`,
  who: venue,
  fields: { booking },
  plain: true,
  run: (act, { booking: bookingId }) => send(act, bookingId, 'please_confirm', null),
});

async function send(
  act: ActionContext<Venue>,
  bookingId: string,
  code: VenueCode,
  at: string | null,
): Promise<ActionResult> {
  const by = { bookingId, placeId: act.person.place.id, actor: 'venue', channel: null } as const;
  if (!(await sendToPartner(act.db, act, { ...by, code, at }))) changedMeanwhile(act);
  return { done: 'sent' };
}

const seen = defineAction({
  name: 'acknowledge_messages',
  path: `${PATH}/seen`,
  who: venue,
  fields: { booking },
  async run(act, { booking: bookingId }) {
    const by = { bookingId, placeId: act.person.place.id, actor: 'venue', channel: null } as const;
    if (!(await acknowledgeMessages(act.db, act, by))) act.unchanged();
    return { done: 'seen' };
  },
});

const outcome = defineAction({
  name: 'record_table_outcome',
  path: `${PATH}/outcome`,
  who: venue,
  fields: { booking, outcome: pressedInput(TABLE_OUTCOMES) },
  async run(act, { booking: bookingId, outcome: given }) {
    const report = { bookingId, outcome: given, placeId: act.person.place.id, channel: null };
    if (!(await recordOutcome(act.db, act, report))) changedMeanwhile(act);
    return { done: given };
  },
});

/** Actions of a venue about messages and past tables. */
export const GUEST_ACTIONS = [sendTimed, askToConfirm, seen, outcome] as const;

function changedMeanwhile(act: ActionContext<Venue>): never {
  conflict(areaLanguage(act).text('fault.meanwhile'));
}

/** Messages of these actions, by the keys with which they lead back to the page. */
export function guestNotices({ text }: AreaLanguage): Readonly<Record<string, string>> {
  const outcomes = TABLE_OUTCOMES.map((one) => [one, `${text(`form.${one}`)}.`] as const);
  return { sent: text('page.messageSent'), seen: text('page.seen'), ...Object.fromEntries(outcomes) };
}

/** The coded messages about coming tables, the tap that acknowledges them, and the forms for one to the guest. */
export function messageCards(
  req: PageRequest<Venue>,
  tables: readonly Booking[],
  messages: readonly CodedMessage[],
): Html {
  const language = areaLanguage(req);
  const { text } = language;
  return html`<ul class="columns">
    ${tables.map(({ id, time, ...table }) => {
      const own = messages.filter(({ bookingId }) => bookingId === id);
      const values = { booking: id, at: time };
      return html`<li class="card flow">
        <h3>${tableLine({ ...table, time }, language)}</h3>
        ${own.length > 0 && codedMessageList(own, language)}
        ${own.some(isUnseen) && actionForm(req, seen, {}, { values, button: text('form.seen'), idPrefix: `seen-${id}` })}
        <details class="quiet">
          <summary>${text('form.messageGuest')}</summary>
          ${TIMED.map((code) =>
            actionForm(
              req,
              sendTimed,
              {},
              {
                values: { ...values, message: code },
                fields: { at: { label: text(`form.${code}`) } },
                button: text('form.messageGuest'),
                idPrefix: `${code}-${id}`,
                className: 'flow',
              },
            ),
          )}
          ${actionForm(req, askToConfirm, {}, { values, button: text('form.please_confirm'), idPrefix: `confirm-${id}` })}
        </details>
      </li>`;
    })}
  </ul>`;
}

/** Past tables with one tap for what became of each. */
export function outcomeCards(req: PageRequest<Venue>, untold: readonly Booking[]): Html {
  const language = areaLanguage(req);
  const buttons = html`${TABLE_OUTCOMES.map((one) => valueButton('outcome', one, language.text(`form.${one}`), 'plain'))}`;
  return html`<ul class="columns">
    ${untold.map(
      (table) =>
        html`<li class="card flow">
          <h3>${tableLine(table, language)}</h3>
          <p>${userText(table.guestName)}</p>
          ${actionForm(req, outcome, {}, { values: { booking: table.id }, buttons, idPrefix: `outcome-${table.id}` })}
        </li>`,
    )}
  </ul>`;
}
