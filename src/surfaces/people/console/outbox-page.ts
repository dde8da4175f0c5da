import { html, type Html } from '../../../core/text/html.ts';
import { AppError } from '../../../core/errors.ts';
import { OUTBOX_KEPT_DAYS, SENT_KEPT_DAYS } from '../../../messages/message.ts';
import {
  listMessages,
  openMessage,
  type ListedMessage,
  type OpenedMessage,
} from '../../../messages/list-messages.ts';
import type { MessageState } from '../../../messages/message.ts';
import { MESSAGE_CHANNELS } from '../../../messages/message-channels.ts';
import { maskContact } from '../../../venue/contact.ts';
import { actionForm } from '../form/action-form.ts';
import { badge, emptyState, link, type StateBadges } from '../frame/components.ts';
import { nextPage } from '../frame/next-page.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';
import { defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState, View } from '../person/page-request.ts';
import { allStaff, leads, type Staff } from '../person/people.ts';
import { filterForm, hasFilters, LIST_PAGE_SIZE, pageOf, readFilters } from './list-page.ts';
import { formatTime } from './moment.ts';

const OUTBOX_KEPT = `They are kept for ${OUTBOX_KEPT_DAYS} days.`;
const SENT_KEPT = `The list goes back ${SENT_KEPT_DAYS} days.`;
const STATES: readonly MessageState[] = ['outbox', 'queued', 'sending', 'sent', 'unsure', 'failed'];
const STATE_BADGES: StateBadges<MessageState> = {
  outbox: ['sign', 'To be passed on'],
  queued: ['', 'Waits to be sent'],
  sending: ['', 'Being sent'],
  sent: ['good', 'Sent'],
  unsure: ['warn', 'Perhaps sent'],
  failed: ['bad', 'Not sent'],
};

const FILTERS = {
  state: {
    label: 'State',
    choices: [['', 'All'], ...STATES.map((state) => [state, STATE_BADGES[state][1]] as const)] as const,
  },
  purpose: { maxlength: 254 },
  to: { label: 'To', maxlength: 254 },
  subject_id: { label: 'About (id)', maxlength: 254 },
};

/**
 * Opens one message for which no sender is configured, so that a lead can pass it on. It may contain somebody else's
 * key or code, so every opening is audited.
 */
const open = defineAction({
  name: 'open_message',
  path: '/console/outbox/:id',
  who: leads,
  help: 'The audit log records who opens it.',
  button: 'Open, to pass it on',
  prepare: ({ deps }) => Promise.resolve(deps),
  async run(act, _values, senders) {
    const message = await openMessage(act.db, senders, act.params['id'] ?? '');
    if (message === undefined)
      throw new AppError('not_found', 'There is no message here to pass on.', {
        hint: 'Messages that the service sends itself can be read only by their recipients.',
      });
    act.audit(message.id, { purpose: message.purpose });
    return { view: messageView(message) };
  },
});

export const outboxPage = definePage({
  path: '/console/outbox',
  who: allStaff,
  nav: { label: 'Outbox', key: 'x' },
  follows: () => ['outbox'],
  async load({ deps, query, person }) {
    const filter = readFilters(query, FILTERS);
    const { subject_id: subjectId, ...others } = filter;
    const after = query.get('after') ?? '';
    const messages = await listMessages(deps, {
      ...others,
      subjectId,
      after: /^msg_[0-9a-z]{26}$/.test(after) ? after : undefined,
      limit: LIST_PAGE_SIZE + 1,
    });
    const { visible, next } = pageOf(messages, LIST_PAGE_SIZE, ({ id }) => id);
    return { filter, visible: visible.map((message) => maskRecipient(person, message)), next };
  },
  view(req, { filter, visible, next }, state) {
    if (req.query.get('format') === 'json')
      return { send: () => req.reply.send({ messages: visible, next: next ?? null }) };
    return {
      title: 'Outbox',
      lead:
        req.deps.mail === undefined
          ? `No mail server is set up: a lead opens messages one at a time and passes them on. Their links and codes work. ${OUTBOX_KEPT}`
          : `Messages to people, the newest first. Only their recipients can read the text. ${SENT_KEPT}`,
      body: html`${filterForm('/console/outbox', FILTERS, filter)}
      ${
        visible.length === 0
          ? emptyState('No messages', hasFilters(filter) ? NO_MATCH : NO_MESSAGES)
          : html`<ul class="letters">
              ${visible.map((message) => messageCard(req, message, state))}
            </ul>`
      }
      ${nextPage('/console/outbox', next && { ...filter, after: next }, 'Older')}`,
    };
  },
  actions: [open],
});

const NO_MATCH = html`No message matches this. <a href="/console/outbox">Show all messages</a>`;
const NO_MESSAGES =
  'Codes for venues, links for operators and other messages appear here as soon as they are written.';

/**
 * Masks the recipient for everybody except leads, because only leads pass messages on. Others can search for an address
 * that they know.
 */
function maskRecipient(person: Staff, message: ListedMessage): ListedMessage {
  return leads.allows(person) ? message : { ...message, to: maskContact(message) };
}

function messageCard(req: PageRequest<Staff>, message: ListedMessage, pageState: PageState): Html {
  const { id, channel, to, subject, purpose, state, attempts, last_error, created_at } = message;
  return html`<li class="card">
    <p class="letter-head">
      <strong><bdi>${subject === '' ? sentenceCase(purpose) : subject}</bdi></strong>
      ${badge(STATE_BADGES[state][0], STATE_BADGES[state][1])}
    </p>
    <p class="soft">
      ${MESSAGE_CHANNELS[channel].label} to <bdi>${to}</bdi>, ${formatTime(new Date(created_at))}
      ${attempts > 0 && `, ${formatCount(attempts, 'attempt')}`}
      <code>${id}</code>
    </p>
    ${last_error !== null && html`<p class="fault">${last_error}</p>`}
    ${
      message.unsendable &&
      (actionForm(req, open, pageState, { params: { id } }) ||
        html`<p class="soft">A lead opens it and passes it on.</p>`)
    }
  </li>`;
}

function messageView({ channel, to, subject, purpose, text }: OpenedMessage): View {
  return {
    title: subject === '' ? sentenceCase(purpose) : subject,
    lead: html`${MESSAGE_CHANNELS[channel].label} to <bdi>${to}</bdi>. It is for them alone: pass it on as it
      is, and keep no copy.`,
    body: html`<pre class="letter">${linkify(text)}</pre>
      <p><a class="button plain" href="/console/outbox">Back to the outbox</a></p>`,
  };
}

/** Turns URLs into links. The links in our messages are ours, and the lead may want to open them. */
function linkify(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"]+)/);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? link(piece, piece) : piece))}`;
}
