import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
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
import { maskContact } from '../../../venue/contact.ts';
import { choiceField, textField } from '../form/form-field.ts';
import { form } from '../frame/frame.ts';
import { nextPage } from '../frame/next-page.ts';
import { count, sentenceCase } from '../frame/wording.ts';
import type { Action } from '../person/action.ts';
import type { PageRequest } from '../person/page-request.ts';
import { EVERYONE, LEADS, staff, type Staff } from '../person/people.ts';
import { addAction, addPage } from '../person/person-route.ts';
import { sendConsolePage } from './console-page.ts';
import { momentOf } from './moment.ts';

const PAGE_SIZE = 50;
const OUTBOX_KEPT = `They are kept for ${OUTBOX_KEPT_DAYS} days.`;
const SENT_KEPT = `The list goes back ${SENT_KEPT_DAYS} days.`;
const STATES: readonly MessageState[] = ['outbox', 'queued', 'sending', 'sent', 'unsure', 'failed'];
const WORDS: Readonly<Record<MessageState, readonly [kind: string, word: string]>> = {
  outbox: ['sign', 'To be passed on'],
  queued: ['', 'Waits to be sent'],
  sending: ['', 'Being sent'],
  sent: ['good', 'Sent'],
  unsure: ['warn', 'Perhaps sent'],
  failed: ['bad', 'Not sent'],
};

export function addOutbox(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: '/console/outbox', who: staff(EVERYONE), show: sendOutbox });
  addAction(scope, deps, open(deps));
}

/** Opens one message that nobody is set up to send, so that a lead can pass it on. Each time leaves an audit row. */
function open(senders: Pick<Deps, 'mail' | 'twilio' | 'config'>): Action<Staff> {
  return {
    name: 'open_message',
    path: '/console/outbox/:id',
    who: staff(LEADS),
    async run(act) {
      const message = await openMessage(act.db, senders, act.params['id'] ?? '');
      if (message === undefined)
        throw new AppError('not_found', 'There is no message here that somebody has to pass on.', {
          hint: 'What the service sends by itself is read by nobody but its receiver.',
        });
      act.audit(message.id, { purpose: message.purpose });
      return { show: (request) => sendMessage(request as PageRequest<Staff>, message) };
    },
  };
}

async function sendOutbox(request: PageRequest<Staff>): Promise<FastifyReply> {
  const { deps, query, reply } = request;
  const filter = filterOf(query);
  const messages = await listMessages(deps, { ...filter, limit: PAGE_SIZE + 1 });
  const shown = messages.slice(0, PAGE_SIZE).map((message) => maskRecipient(request.person, message));
  const next = messages.length > PAGE_SIZE ? shown.at(-1)?.id : undefined;
  if (query.get('format') === 'json') return reply.send({ messages: shown, next: next ?? null });
  return sendConsolePage(request, {
    title: 'Outbox',
    current: '/console/outbox',
    lead:
      deps.mail === undefined
        ? `No mail server is set up: a lead opens messages one at a time and passes them on. Their links and codes work. ${OUTBOX_KEPT}`
        : `What goes out to people, the newest first. What it says is read by its receiver only. ${SENT_KEPT}`,
    body: html`${filterForm(filter)}
    ${
      shown.length === 0
        ? nothing(filter)
        : html`<ul class="letters">
            ${shown.map((message) => letter(request, message))}
          </ul>`
    }
    ${nextPage('/console/outbox', next && queryOf(filter, next), 'Older')}`,
  });
}

/** Only a lead passes messages on, so only a lead sees where they go. The others can look for an address they know. */
function maskRecipient({ role }: Staff, message: ListedMessage): ListedMessage {
  return LEADS.includes(role) ? message : { ...message, to: maskContact(message) };
}

function filterOf(query: URLSearchParams): MessageFilter {
  const textOf = (name: string) => {
    const value = (query.get(name) ?? '').trim().slice(0, 254);
    return value === '' ? undefined : value;
  };
  const after = textOf('after');
  return {
    state: STATES.find((known) => known === query.get('state')),
    purpose: textOf('purpose'),
    to: textOf('to'),
    subjectId: textOf('subject_id'),
    after: after !== undefined && /^msg_[0-9a-z]{26}$/.test(after) ? after : undefined,
  };
}

function queryOf({ state, purpose, to, subjectId }: MessageFilter, after: string) {
  return { state, purpose, to, subject_id: subjectId, after };
}

function nothing({ state, purpose, to, subjectId }: MessageFilter): Html {
  const narrowed = [state, purpose, to, subjectId].some((value) => value !== undefined);
  return html`<div class="empty">
    <h2>No messages</h2>
    <p>
      ${
        narrowed
          ? html`No message fits this. <a href="/console/outbox">Show all messages</a>`
          : 'Codes for venues, links for operators and other letters appear here as soon as they are written.'
      }
    </p>
  </div>`;
}

function filterForm({ state, to, subjectId }: MessageFilter): Html {
  const states = STATES.map((known) => [known, WORDS[known][1]] as const);
  const choices = [['', 'All'], ...states] as const;
  return html`<form class="filters" method="get" action="/console/outbox">
    ${choiceField({ name: 'state', label: 'State', value: state ?? '', choices })}
    ${textField({ name: 'to', label: 'To', value: to ?? '', maxlength: 254 })}
    ${textField({ name: 'subject_id', label: 'About (id)', value: subjectId ?? '', maxlength: 254 })}
    <button class="button plain" type="submit">Filter</button>
  </form>`;
}

function letter(request: PageRequest<Staff>, message: ListedMessage): Html {
  const { id, channel, to, subject, purpose, state, attempts, last_error, created_at } = message;
  return html`<li class="card">
    <p class="letter-head">
      <strong><bdi>${subject === '' ? sentenceCase(purpose) : subject}</bdi></strong>
      <span class="badge ${WORDS[state][0]}">${WORDS[state][1]}</span>
    </p>
    <p class="soft">
      ${channel === 'mail' ? 'Mail' : 'SMS'} to <bdi>${to}</bdi>, ${momentOf(new Date(created_at))}
      ${attempts > 0 && `, ${count(attempts, 'attempt')}`}
      <code>${id}</code>
    </p>
    ${last_error !== null && html`<p class="fault">${last_error}</p>`}
    ${message.unsendable && wayOn(request, id)}
  </li>`;
}

/** What it says may be a key or a code of somebody else, so that opening it is a deed of one person. */
function wayOn(request: PageRequest<Staff>, id: string): Html {
  if (!LEADS.includes(request.person.role))
    return html`<p class="soft">A lead opens it and passes it on.</p>`;
  return form(
    request,
    `/console/outbox/${id}`,
    html`<p class="hint">The audit log notes who opens it.</p>
      <p><button class="button plain" type="submit">Open, to pass it on</button></p>`,
  );
}

function sendMessage(
  request: PageRequest<Staff>,
  { channel, to, subject, purpose, text }: OpenedMessage,
): Promise<FastifyReply> {
  return sendConsolePage(request, {
    title: subject === '' ? sentenceCase(purpose) : subject,
    current: '/console/outbox',
    lead: html`${channel === 'mail' ? 'Mail' : 'SMS'} to <bdi>${to}</bdi>. It is for them alone: pass it on as
      it is, and keep no copy.`,
    body: html`<pre class="letter">${linked(text)}</pre>
      <p><a class="button plain" href="/console/outbox">Back to the outbox</a></p>`,
  });
}

/** The links in a letter are ours, and whoever passes it on may want to open them. */
function linked(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"]+)/);
  return html`${pieces.map((piece, index) =>
    index % 2 === 1 ? html`<a href="${safeHref(piece)}">${piece}</a>` : piece,
  )}`;
}
