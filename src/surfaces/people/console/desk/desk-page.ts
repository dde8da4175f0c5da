import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { listBookingTasks } from '../../../../bookings/answering/desk-tasks.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import { answerQuestion } from '../../../../submissions/publish/confirm-business.ts';
import { listDeskTasks, vouchForContact, type DeskTask } from '../../../../venue/desk-task.ts';
import { csrfField } from '../../form/csrf.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { readFields } from '../../form/read-fields.ts';
import { sendConsolePage } from '../console-page.ts';
import type { Notice } from '../../person/page-request.ts';
import { consoleRoute, DESK, EVERYONE, type PageRequest } from '../console-route.ts';
import { lengthOf } from '../moment.ts';
import { bookingCard, type SentAnswer } from './booking-card.ts';

const TASKS_MAX = 100;

const answerFields = z.object({ answer: z.enum(['yes', 'no']) });
const contactFields = z.object({
  channel: z.enum(['mail', 'sms']),
  to: text(3, 254),
  found_at: text(4, 500),
});

const DONE: Readonly<Record<string, string>> = {
  yes: 'The business said yes: its listing is live.',
  no: 'The business said no: the listing is refused, and the agent is told.',
  sent: 'The code is on its way to the venue.',
  booking_yes: 'The venue said yes: the table is booked.',
  booking_offer: 'What the venue offers is passed on.',
  booking_no: 'The venue said no. The partner is told.',
  booking_no_answer: 'Nobody answered. The call comes back in half an hour.',
  told: 'The venue knows.',
  put_down: 'Somebody else may make this call now.',
};

export function addDesk(scope: FastifyInstance, deps: Deps): void {
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/desk',
    roles: EVERYONE,
    handle: (visit) => {
      const done = DONE[visit.query.get('done') ?? ''];
      return sendDeskPage(visit, done === undefined ? {} : { notice: { kind: 'good', text: done } });
    },
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/desk/:id/answer',
    roles: DESK,
    handle: answer,
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/desk/:id/contact',
    roles: DESK,
    handle: vouch,
  });
}

interface Told {
  notice?: Notice;
  /** The task whose form was refused, with what was sent and what is wrong with it. */
  refused?: { id: string; form: URLSearchParams; faults: Record<string, string> };
  answered?: SentAnswer;
}

export async function sendDeskPage(visit: PageRequest, told: Told): Promise<FastifyReply> {
  const { pool } = visit.deps;
  const [calls, tasks] = await Promise.all([
    listBookingTasks(pool, visit.now, TASKS_MAX),
    listDeskTasks(pool, TASKS_MAX),
  ]);
  return sendConsolePage(visit, {
    title: 'Desk',
    current: '/console/desk',
    lead: 'What no message can do: somebody has to call the venue. What is due first stands first.',
    notice: told.notice,
    body: html`${
      calls.length > 0 &&
      html`<section class="flow" aria-labelledby="calls">
        <h2 id="calls">Tables</h2>
        <ul class="letters">
          ${calls.map((task) => bookingCard(visit, task, told.answered))}
        </ul>
      </section>`
    }
    ${
      tasks.length > 0 &&
      html`<section class="flow" aria-labelledby="listings">
        <h2 id="listings">Listings</h2>
        <ul class="letters">
          ${tasks.map((task) => taskItem(visit, task, told))}
        </ul>
      </section>`
    }
    ${calls.length + tasks.length === 0 && EMPTY}`,
  });
}

const EMPTY = html`<div class="empty">
  <h2>Nobody to call</h2>
  <p>
    A table appears here when its venue does not answer otherwise, and a business without a published contact
    when its listing was approved.
  </p>
</div>`;

const ASKS: Record<DeskTask['kind'], string> = {
  confirm_business: 'Ask the business whether the operator acts for it',
  verify_owner: 'Find a contact that the venue itself publishes',
};

function taskItem(visit: PageRequest, task: DeskTask, told: Told): Html {
  const { name, city, country, kind, operatorName, submissionId, createdAt } = task;
  return html`<li class="card flow">
    <p class="letter-head">
      <strong>${ASKS[kind]}</strong>
      <span class="soft">waits ${lengthOf(visit.now.getTime() - createdAt.getTime())}</span>
    </p>
    <dl class="record">
      <div>
        <dt>Business</dt>
        <dd>
          <a href="${safeHref(`/console/review/${submissionId}`)}"><bdi>${name}</bdi></a
          >, <bdi>${city}</bdi>, ${country}
        </dd>
      </div>
      <div>
        <dt>Operator</dt>
        <dd><bdi>${operatorName}</bdi></dd>
      </div>
      <div>
        <dt>Submitted contacts</dt>
        <dd>${submittedContacts(task)}</dd>
      </div>
    </dl>
    ${
      DESK.includes(visit.staff.role) &&
      (kind === 'confirm_business' ? answerForm(visit, task) : contactForm(visit, task, told))
    }
  </li>`;
}

function submittedContacts({ phone, email, website }: DeskTask): Html | string {
  const given = [phone, email, website].filter((contact) => contact !== null);
  if (given.length === 0) return 'none';
  return html`<bdi>${given.join(', ')}</bdi><br /><span class="soft"
      >The agent gave these. They prove nothing, and whoever answers there may be the agent: ask only where
      the venue itself publishes a contact.</span
    >`;
}

function answerForm({ deps, request, reply }: PageRequest, { submissionId, operatorName }: DeskTask): Html {
  return html`<form
    class="row-forms"
    method="post"
    action="${safeHref(`/console/desk/${submissionId}/answer`)}"
  >
    ${csrfField(deps, request, reply)}
    <button class="button" type="submit" name="answer" value="yes">Yes, ${operatorName} acts for us</button>
    <button class="button danger" type="submit" name="answer" value="no">No</button>
  </form>`;
}

function contactForm({ deps, request, reply }: PageRequest, task: DeskTask, { refused }: Told): Html | false {
  if (task.placeId === null) return false;
  const sent = refused?.id === task.placeId ? refused : undefined;
  const field = (name: string) => ({
    name,
    id: `${task.id}-${name}`,
    value: sent?.form.get(name) ?? '',
    fault: sent?.faults[name],
  });
  return html`<form
    class="filters"
    method="post"
    action="${safeHref(`/console/desk/${task.placeId}/contact`)}"
  >
    ${csrfField(deps, request, reply)}
    ${choiceField({
      ...field('channel'),
      label: 'Send the code by',
      choices: [
        ['mail', 'Mail'],
        ['sms', 'SMS'],
      ],
    })}
    ${textField({ ...field('to'), label: 'To', maxlength: 254, required: true })}
    ${textField({ ...field('found_at'), label: 'Where the venue publishes it', maxlength: 500, required: true })}
    <button class="button" type="submit">Send the code</button>
  </form>`;
}

async function answer(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, request, reply } = visit;
  const { id } = request.params as { id: string };
  const read = readFields(form, answerFields);
  if (!read.ok) return refuse(visit, 422, 'Say whether the business said yes or no.');
  const result = await answerQuestion(deps, { submissionId: id }, read.values.answer, { staffId: staff.id });
  if (result.outcome === 'answered') return reply.redirect(`/console/desk?done=${read.values.answer}`, 303);
  if (result.outcome === 'not_found') throw new AppError('not_found', 'No business was asked about this.');
  return refuse(visit, 409, `The business has answered already: ${result.answer}. Nothing was changed.`);
}

async function vouch(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, request, reply } = visit;
  const { id } = request.params as { id: string };
  const read = readFields(form, contactFields);
  if (!read.ok)
    return sendDeskPage({ ...visit, reply: reply.code(422) }, { refused: { id, form, faults: read.faults } });
  const { channel, to, found_at: foundAt } = read.values;
  const tasks = await listDeskTasks(deps.pool, TASKS_MAX);
  if (!tasks.some(({ placeId }) => placeId === id))
    return refuse(visit, 409, 'Somebody else has done this meanwhile. Nothing was changed.');
  try {
    const sent = await vouchForContact(deps, {
      placeId: id,
      contact: { channel, to },
      staffId: staff.id,
      foundAt,
    });
    if (sent.outcome === 'sent') return await reply.redirect('/console/desk?done=sent', 303);
    return await refuse(visit, 429, 'A code went there a moment ago. Wait before you send another.');
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown;
    const faults = {
      to: channel === 'sms' ? 'Give the number with its country code: +62…' : 'Give a whole address.',
    };
    return sendDeskPage({ ...visit, reply: reply.code(422) }, { refused: { id, form, faults } });
  }
}

function refuse(visit: PageRequest, status: number, words: string): Promise<FastifyReply> {
  return sendDeskPage(
    { ...visit, reply: visit.reply.code(status) },
    { notice: { kind: 'bad', text: words } },
  );
}
