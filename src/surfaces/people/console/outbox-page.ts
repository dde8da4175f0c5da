import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { AppError } from '../../../core/errors.ts';
import { OUTBOX_KEPT_DAYS, SENT_KEPT_DAYS } from '../../../messages/forget-messages.ts';
import {
  listMessages,
  openMessage,
  type ListedMessage,
  type MessageFilter,
  type OpenedMessage,
} from '../../../messages/list-messages.ts';
import type { MessageState } from '../../../messages/message.ts';
import { MESSAGE_CHANNELS } from '../../../messages/message-channels.ts';
import { maskContact } from '../../../venue/contact.ts';
import { actionForm } from '../form/action-form.ts';
import { choiceField, textField } from '../form/form-field.ts';
import { nextPage } from '../frame/next-page.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';
import { defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState, View } from '../person/page-request.ts';
import { ALL_ROLES, LEAD_ROLES, staff, type Staff } from '../person/people.ts';
import { formatTime } from './moment.ts';

const PAGE_SIZE = 50;
const OUTBOX_KEPT = `They are kept for ${OUTBOX_KEPT_DAYS} days.`;
const SENT_KEPT = `The list goes back ${SENT_KEPT_DAYS} days.`;
const STATES: readonly MessageState[] = ['outbox', 'queued', 'sending', 'sent', 'unsure', 'failed'];
const STATE_BADGES: Readonly<Record<MessageState, readonly [kind: string, word: string]>> = {
  outbox: ['sign', 'To be passed on'],
  queued: ['', 'Waits to be sent'],
  sending: ['', 'Being sent'],
  sent: ['good', 'Sent'],
  unsure: ['warn', 'Perhaps sent'],
  failed: ['bad', 'Not sent'],
};

/**
 * Opens one message for which no sender is configured, so that a lead can pass it on. It may contain somebody else's
 * key or code, so every opening is audited.
 */
const open = defineAction({
  name: 'open_message',
  path: '/console/outbox/:id',
  who: staff(LEAD_ROLES),
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
  who: staff(ALL_ROLES),
  nav: { label: 'Outbox', key: 'x' },
  async load({ deps, query, person }) {
    const filter = filterOf(query);
    const messages = await listMessages(deps, { ...filter, limit: PAGE_SIZE + 1 });
    const visible = messages.slice(0, PAGE_SIZE).map((message) => maskRecipient(person, message));
    return { filter, visible, next: messages.length > PAGE_SIZE ? visible.at(-1)?.id : undefined };
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
      body: html`${filterForm(filter)}
      ${
        visible.length === 0
          ? emptyList(filter)
          : html`<ul class="letters">
              ${visible.map((message) => messageCard(req, message, state))}
            </ul>`
      }
      ${nextPage('/console/outbox', next && queryOf(filter, next), 'Older')}`,
    };
  },
  actions: [open],
});

/**
 * Masks the recipient for everybody except leads, because only leads pass messages on. Others can search for an address
 * that they know.
 */
function maskRecipient({ role }: Staff, message: ListedMessage): ListedMessage {
  return LEAD_ROLES.includes(role) ? message : { ...message, to: maskContact(message) };
}

function filterOf(query: URLSearchParams): MessageFilter {
  const textOf = (name: string) => {
    const value = (query.get(name) ?? '').trim().slice(0, 254);
    return value === '' ? undefined : value;
  };
  const after = textOf('after');
  return {
    state: STATES.find((option) => option === query.get('state')),
    purpose: textOf('purpose'),
    to: textOf('to'),
    subjectId: textOf('subject_id'),
    after: after !== undefined && /^msg_[0-9a-z]{26}$/.test(after) ? after : undefined,
  };
}

function queryOf({ state, purpose, to, subjectId }: MessageFilter, after: string) {
  return { state, purpose, to, subject_id: subjectId, after };
}

function emptyList({ state, purpose, to, subjectId }: MessageFilter): Html {
  const isFiltered = [state, purpose, to, subjectId].some((value) => value !== undefined);
  return html`<div class="empty">
    <h2>No messages</h2>
    <p>
      ${
        isFiltered
          ? html`No message matches this. <a href="/console/outbox">Show all messages</a>`
          : 'Codes for venues, links for operators and other messages appear here as soon as they are written.'
      }
    </p>
  </div>`;
}

function filterForm({ state, to, subjectId }: MessageFilter): Html {
  const states = STATES.map((option) => [option, STATE_BADGES[option][1]] as const);
  const choices = [['', 'All'], ...states] as const;
  return html`<form class="filters" method="get" action="/console/outbox">
    ${choiceField({ name: 'state', label: 'State', value: state ?? '', choices })}
    ${textField({ name: 'to', label: 'To', value: to ?? '', maxlength: 254 })}
    ${textField({ name: 'subject_id', label: 'About (id)', value: subjectId ?? '', maxlength: 254 })}
    <button class="button plain" type="submit">Filter</button>
  </form>`;
}

function messageCard(req: PageRequest<Staff>, message: ListedMessage, pageState: PageState): Html {
  const { id, channel, to, subject, purpose, state, attempts, last_error, created_at } = message;
  return html`<li class="card">
    <p class="letter-head">
      <strong><bdi>${subject === '' ? sentenceCase(purpose) : subject}</bdi></strong>
      <span class="badge ${STATE_BADGES[state][0]}">${STATE_BADGES[state][1]}</span>
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
  return html`${pieces.map((piece, index) =>
    index % 2 === 1 ? html`<a href="${safeHref(piece)}">${piece}</a>` : piece,
  )}`;
}
