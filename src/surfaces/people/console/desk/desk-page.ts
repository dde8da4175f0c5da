import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { listBookingTasks } from '../../../../bookings/answering/desk-tasks.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import { MESSAGE_CHANNEL_NAMES, MESSAGE_CHANNELS } from '../../../../messages/message-channels.ts';
import { answerConfirmation } from '../../../../submissions/publish/confirm-business.ts';
import { listDeskTasks, vouchForContact, type DeskTask } from '../../../../venue/desk-task.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { form } from '../../frame/frame.ts';
import { refuse, type Action } from '../../person/action.ts';
import { doneNotice, type Notice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { DESK_ROLES, ALL_ROLES, staff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { sendConsolePage } from '../console-page.ts';
import { formatDuration } from '../moment.ts';
import { bookingCard } from './booking-card.ts';

const TASKS_MAX = 100;

const answerFields = z.object({ answer: z.enum(['yes', 'no']) });
const contactFields = z.object({
  channel: z.enum(MESSAGE_CHANNEL_NAMES),
  to: text(3, 254),
  found_at: text(4, 500),
});

const DONE: Readonly<Record<string, string>> = {
  yes: 'The business said yes: its listing is live.',
  no: 'The business said no: the listing is refused, and the agent is notified.',
  sent: 'The invitation is on its way to the venue. The page it links to sends a code to the venue.',
  booking_yes: 'The venue said yes: the table is booked.',
  booking_offer: "The venue's offer is passed on.",
  booking_no: 'The venue said no. The partner is notified.',
  booking_yes_change: 'The venue said yes: the table is changed.',
  booking_no_change: 'The venue said no: the table stays as it was. The partner is notified.',
  booking_no_answer: 'Nobody answered. The call comes back in half an hour.',
  booking_undone: 'The answer is undone. The call is on the list again.',
  told: 'The venue knows.',
  put_down: 'Somebody else may make this call now.',
};

export function addDesk(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: '/console/desk',
    who: staff(ALL_ROLES),
    show: (req) => sendDeskPage(req, { notice: answeredNotice(req) ?? doneNotice(req.query, DONE) }),
  });
  addActions(scope, deps, confirmBusiness, vouch);
}

/** Confirms the answer that was just recorded and offers to undo it, because the partner has already been notified. */
function answeredNotice(req: PageRequest<Staff>): Notice | undefined {
  const { query, person } = req;
  const notice = doneNotice(query, DONE);
  const id = query.get('booking');
  if (notice === undefined || id === null || !DESK_ROLES.includes(person.role)) return undefined;
  const button = html`<button class="button plain small" type="submit">Undo</button>`;
  const undo = form(req, `/console/desk/${encodeURIComponent(id)}/undo`, button, { className: '' });
  return { ...notice, text: html`${notice.text} You can undo this for two minutes. ${undo}` };
}

/** Error message for a form that was sent without an answer, by action. */
const UNANSWERED: Readonly<Record<string, string>> = {
  confirm_business: 'Say whether the business said yes or no.',
  record_venue_answer: 'Say what the venue answered: yes, another time, no, or nothing.',
};

export async function sendDeskPage(req: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  const { pool } = req.deps;
  const [calls, tasks] = await Promise.all([
    listBookingTasks(pool, req.now, TASKS_MAX),
    listDeskTasks(pool, TASKS_MAX),
  ]);
  const unanswered = state.faults?.['answer'] && UNANSWERED[state.action ?? ''];
  return sendConsolePage(req, {
    title: 'Desk',
    current: '/console/desk',
    lead: 'Venues that somebody has to call, because no message can reach them. The most urgent calls come first.',
    notice: unanswered === undefined ? state.notice : { kind: 'bad', text: unanswered },
    body: html`${letters(
      'calls',
      'Tables',
      calls.map((task) => bookingCard(req, task, state)),
    )}
    ${letters(
      'listings',
      'Listings',
      tasks.map((task) => taskItem(req, task, state)),
    )}
    ${calls.length + tasks.length === 0 && EMPTY}
    ${DESK_ROLES.includes(req.person.role) && CONFIRMED_TABLES_LINK}`,
  });
}

function letters(id: string, title: string, items: readonly Html[]): Html | false {
  return (
    items.length > 0 &&
    html`<section class="flow" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <ul class="letters">
        ${items}
      </ul>
    </section>`
  );
}

const CONFIRMED_TABLES_LINK = html`<p>
  A venue calls and cannot keep a table? <a href="/console/desk/tables">Confirmed tables</a>
</p>`;

const EMPTY = html`<div class="empty">
  <h2>Nobody to call</h2>
  <p>
    A table appears here when its venue does not answer on other channels, and a business when its listing was
    approved and it has no published contact.
  </p>
</div>`;

const ASKS: Record<DeskTask['kind'], string> = {
  confirm_business: 'Ask the business whether the operator acts for it',
  verify_owner: 'Find a contact that the venue itself publishes',
};

function taskItem(req: PageRequest<Staff>, task: DeskTask, state: PageState): Html {
  const { name, city, country, kind, operatorName, submissionId, createdAt } = task;
  return html`<li class="card flow">
    <p class="letter-head">
      <strong>${ASKS[kind]}</strong>
      <span class="soft">waits ${formatDuration(req.now.getTime() - createdAt.getTime())}</span>
    </p>
    ${definitionList('record', [
      [
        'Business',
        html`<a href="${safeHref(`/console/review/${submissionId}`)}"><bdi>${name}</bdi></a
          >, <bdi>${city}</bdi>, ${country}`,
      ],
      ['Operator', html`<bdi>${operatorName}</bdi>`],
      ['Submitted contacts', submittedContacts(task)],
    ])}
    ${
      DESK_ROLES.includes(req.person.role) &&
      (kind === 'confirm_business' ? answerForm(req, task) : contactForm(req, task, state))
    }
  </li>`;
}

function submittedContacts({ phone, email, website }: DeskTask): Html | string {
  const contacts = [phone, email, website].filter((contact) => contact !== null);
  if (contacts.length === 0) return 'none';
  return html`<bdi>${contacts.join(', ')}</bdi><br /><span class="soft"
      >The agent gave these. They prove nothing, and the agent may answer there: use only contacts that the
      venue itself publishes.</span
    >`;
}

function answerForm(req: PageRequest, { submissionId, operatorName }: DeskTask): Html {
  return form(
    req,
    `/console/desk/${submissionId}/answer`,
    html`<button class="button" type="submit" name="answer" value="yes">
        Yes, ${operatorName} acts for us
      </button>
      <button class="button danger" type="submit" name="answer" value="no">No</button>`,
    { className: 'row-forms' },
  );
}

function contactForm(req: PageRequest, task: DeskTask, state: PageState): Html | false {
  if (task.placeId === null) return false;
  const { form: submitted, faults }: PageState = req.params['id'] === task.placeId ? state : {};
  const field = (name: string) => ({
    name,
    id: `${task.id}-${name}`,
    value: submitted?.get(name) ?? '',
    fault: faults?.[name],
  });
  return form(
    req,
    `/console/desk/${task.placeId}/contact`,
    html`${choiceField({
        ...field('channel'),
        label: 'Write to the venue by',
        choices: MESSAGE_CHANNEL_NAMES.map((name) => [name, MESSAGE_CHANNELS[name].label]),
      })}
      ${textField({ ...field('to'), label: 'To', maxlength: 254, required: true })}
      ${textField({ ...field('found_at'), label: 'Where the venue publishes it', maxlength: 500, required: true })}
      <button class="button" type="submit">Invite the venue</button>`,
    { className: 'filters' },
  );
}

const confirmBusiness: Action<Staff, typeof answerFields> = {
  name: 'confirm_business',
  path: '/console/desk/:id/answer',
  who: staff(DESK_ROLES),
  form: answerFields,
  async run(act, { answer }) {
    const target = { submissionId: act.params['id'] ?? '' };
    const result = await answerConfirmation(act.db, act, target, answer, { staffId: act.person.id });
    if (result.outcome === 'not_found') throw new AppError('not_found', 'No business was asked about this.');
    if (result.outcome === 'already')
      refuseWith(409, `The business has already answered: ${result.answer}. Nothing was changed.`);
    return { to: `/console/desk?done=${answer}` };
  },
  page: sendDeskPage,
};

const vouch: Action<Staff, typeof contactFields> = {
  name: 'vouch_for_contact',
  path: '/console/desk/:id/contact',
  who: staff(DESK_ROLES),
  form: contactFields,
  async run(act, { channel, to, found_at: foundAt }) {
    const placeId = act.params['id'] ?? '';
    const tasks = await listDeskTasks(act.db, TASKS_MAX);
    if (!tasks.some((task) => task.placeId === placeId))
      refuseWith(409, 'Somebody else has already done this. Nothing was changed.');
    const invitation = { placeId, contact: { channel, to }, staffId: act.person.id, foundAt };
    const wasSent = await vouchForContact(act.db, act, invitation).catch((thrown: unknown) => {
      if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown;
      return refuse({ faults: { to: MESSAGE_CHANNELS[channel].addressFault } });
    });
    if (!wasSent)
      refuseWith(
        429,
        'A message was sent to the venue a moment ago, or three times today. Wait before you write again.',
      );
    act.audit(placeId, { channel, found_at: foundAt });
    return { to: '/console/desk?done=sent' };
  },
  page: sendDeskPage,
};

function refuseWith(status: number, words: string): never {
  refuse({ status, notice: { kind: 'bad', text: words } });
}
