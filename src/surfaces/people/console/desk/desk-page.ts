import { z } from 'zod';
import { listBookingTasks } from '../../../../bookings/answering/desk-tasks.ts';
import { findListedBooking, type ListedBooking } from '../../../../bookings/booking-roster.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import { findPlace } from '../../../../directory/place/place.ts';
import { MESSAGE_CHANNEL_NAMES, MESSAGE_CHANNELS } from '../../../../messages/message-channels.ts';
import { answerConfirmation, findQuestion } from '../../../../submissions/publish/confirm-business.ts';
import { listDeskTasks, vouchForContact, type DeskTask } from '../../../../venue/desk-task.ts';
import { actionForm, formFields } from '../../form/action-form.ts';
import { choiceInput, hiddenInput, textInput } from '../../form/fields.ts';
import { emptyState, link, userText, valueButton } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage, fillPath } from '../../person/page.ts';
import type { Notice, PageRequest, PageState } from '../../person/page-request.ts';
import { allStaff, deskStaff, type Staff } from '../../person/people.ts';
import { formatDuration } from '../moment.ts';
import { noticeAbout, placeSubject } from '../notice-subject.ts';
import { markNotified, recordAnswer, releaseCall, takeDeskCall, undoAnswer } from './booking-actions.ts';
import { linkToBooking } from '../bookings/booking-words.ts';
import { bookingCard } from './booking-card.ts';

const TASKS_MAX = 100;

const confirmBusiness = defineAction({
  name: 'confirm_business',
  path: '/console/desk/:id/answer',
  who: deskStaff,
  fields: { answer: hiddenInput(z.enum(['yes', 'no'])) },
  done: {
    yes: 'The business said yes: its listing is live.',
    no: 'The business said no: the listing is refused, and the agent is notified.',
  },
  async run(act, { answer }) {
    const target = { submissionId: act.params['id'] ?? '' };
    const result = await answerConfirmation(act.db, act, target, answer, { staffId: act.person.id });
    if (result.outcome === 'not_found') throw new AppError('not_found', 'No business was asked about this.');
    if (result.outcome === 'already')
      refuseWith(409, `The business has already answered: ${result.answer}. Nothing was changed.`);
    return { to: `/console/desk?done=${answer}&submission=${act.params['id'] ?? ''}` };
  },
});

const vouch = defineAction({
  name: 'vouch_for_contact',
  path: '/console/desk/:id/contact',
  who: deskStaff,
  fields: {
    channel: choiceInput(
      MESSAGE_CHANNEL_NAMES.map((name) => [name, MESSAGE_CHANNELS[name].label] as const),
      { label: 'Write to the venue by' },
    ),
    to: textInput(text(3, 254), { label: 'To', maxlength: 254, required: true }),
    found_at: textInput(text(4, 500), {
      label: 'Where the venue publishes it',
      maxlength: 500,
      required: true,
    }),
  },
  done: 'The invitation is on its way to the venue. The page it links to sends a code to the venue.',
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
    return { to: `/console/desk?done=vouch_for_contact&place=${placeId}` };
  },
});

function refuseWith(status: number, words: string): never {
  refuse({ status, notice: { kind: 'bad', text: words } });
}

/** Error message for a form that was sent without an answer, by action. */
const UNANSWERED: Readonly<Record<string, string>> = {
  confirm_business: 'Say whether the business said yes or no.',
  record_venue_answer: 'Say what the venue answered: yes, another time, no, or nothing.',
};

export const deskPage = definePage({
  path: '/console/desk',
  follows: () => ['desk', 'bookings'],
  who: allStaff,
  nav: { label: 'Desk', key: 'd' },
  async load({ deps: { pool }, query, now }) {
    const answeredId = query.get('booking');
    const [calls, tasks, answered, listing] = await Promise.all([
      listBookingTasks(pool, now, TASKS_MAX),
      listDeskTasks(pool, TASKS_MAX),
      answeredId === null ? undefined : findListedBooking(pool, answeredId),
      findListing(pool, query),
    ]);
    return { calls, tasks, answered, listing };
  },
  view: (req, { calls, tasks, answered, listing }, state) => ({
    title: 'Desk',
    lead: 'Venues that somebody has to call, because no message can reach them. The most urgent calls come first.',
    notice: noticeAbout(listing, deskNotice(req, answered, state)),
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
    ${calls.length + tasks.length === 0 && EMPTY} ${deskStaff.allows(req.person) && CONFIRMED_TABLES_LINK}`,
  }),
  actions: [confirmBusiness, vouch, recordAnswer, undoAnswer, takeDeskCall, releaseCall, markNotified],
});

/** Names the listing that the last decision was about. */
async function findListing(db: Db, query: URLSearchParams): Promise<Html | undefined> {
  const [placeId, submissionId] = [query.get('place'), query.get('submission')];
  if (placeId !== null) {
    const place = await findPlace(db, placeId);
    return place && placeSubject(place);
  }
  const question = submissionId === null ? undefined : await findQuestion(db, { submissionId });
  return question && link(`/console/review/${question.submissionId}`, userText(question.content.name));
}

/** Answers that the desk can undo, by the key of their message. */
const UNDOABLE = /^booking_(?!no_answer)/;

/** Names the venue, and offers to undo the answer that was just recorded, because the partner knows it already. */
function deskNotice(
  req: PageRequest<Staff>,
  answered: ListedBooking | undefined,
  { action = '', faults, notice }: PageState,
): Notice | undefined {
  const unanswered = faults?.['answer'] && UNANSWERED[action];
  if (unanswered !== undefined) return { kind: 'bad', text: unanswered };
  if (notice === undefined || answered === undefined || action !== '') return notice;
  const { booking, placeName } = answered;
  const isUndoable = UNDOABLE.test(req.query.get('done') ?? '');
  const undoForm = isUndoable && actionForm(req, undoAnswer, {}, { params: { id: booking.id } });
  const text = html`${notice.text}
  ${undoForm !== false && html`You can undo this for two minutes. ${undoForm}`}`;
  const name = linkToBooking(booking.id, userText(placeName ?? 'A place that is no longer listed'));
  return noticeAbout(name, { ...notice, text });
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

const EMPTY = emptyState(
  'Nobody to call',
  'A table appears here when its venue does not answer on other channels, and a business when its listing was approved and it has no published contact.',
);

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
        html`${link(`/console/review/${submissionId}`, userText(name))}, <bdi>${city}</bdi>, ${country}`,
      ],
      ['Operator', userText(operatorName)],
      ['Submitted contacts', submittedContacts(task)],
    ])}
    ${
      deskStaff.allows(req.person) &&
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
    fillPath(confirmBusiness.path, { id: submissionId }),
    html`${valueButton('answer', 'yes', `Yes, ${operatorName} acts for us`)}
    ${valueButton('answer', 'no', 'No', 'danger')}`,
    { className: 'row-forms' },
  );
}

function contactForm(req: PageRequest, { id, placeId }: DeskTask, state: PageState): Html | false {
  if (placeId === null) return false;
  const fields = formFields(vouch, req.params['id'] === placeId ? state : {}, { idPrefix: id });
  const button = html`<button class="button" type="submit">Invite the venue</button>`;
  return form(req, fillPath(vouch.path, { id: placeId }), html`${fields} ${button}`, {
    className: 'filters',
  });
}
