import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { html } from '../../../../core/text/html.ts';
import { decideSubmission, type DecisionOutcome } from '../../../../submissions/review/decide.ts';
import { readForReview } from '../../../../submissions/review/review.ts';
import { consoleRoute, EVERYONE, REVIEWERS, type PageRequest } from '../console-route.ts';
import { momentOf } from '../moment.ts';
import { sendQueuePage } from './queue-page.ts';
import { sendSubmissionPage, type Refused } from './submission-page.ts';

const SUBMISSION_ID = /^(?:sub|prm)_[0-9a-z]{26}$/;
const DECISIONS: Readonly<Record<string, 'approved' | 'rejected'>> = {
  approved: 'approved',
  approve: 'approved',
  rejected: 'rejected',
  reject: 'rejected',
};

export function addReview(scope: FastifyInstance, deps: Deps): void {
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/review',
    roles: EVERYONE,
    handle: sendQueuePage,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/review/:id',
    roles: EVERYONE,
    handle: (visit) => showSubmission(visit),
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/review/:id',
    roles: REVIEWERS,
    handle: decide,
  });
}

async function showSubmission(visit: PageRequest, refused: Refused = {}): Promise<FastifyReply> {
  const id = idOf(visit);
  const record = SUBMISSION_ID.test(id) ? await readForReview(visit.deps.pool, id) : undefined;
  if (record === undefined) throw notFound();
  return sendSubmissionPage(visit, record, refused);
}

async function decide(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, request, reply } = visit;
  const id = idOf(visit);
  const decision = DECISIONS[form.get('decision') ?? ''];
  const revision = form.get('revision') ?? '';
  if (!SUBMISSION_ID.test(id)) throw notFound();
  if (decision === undefined) throw badField('decision', 'must be approved or rejected');
  if (!/^[1-9]\d{0,8}$/.test(revision)) throw badField('revision', 'must be the number of a revision');
  const reason = {
    code: form.get('reason_code') ?? '',
    text: form.get('reason_text') ?? '',
    fix: form.get('fix_hint') ?? '',
  };
  try {
    const outcome = await decideSubmission(deps, {
      submissionId: id,
      revision: Number(revision),
      staffId: staff.id,
      decision,
      reasonCode: reason.code,
      reasonText: reason.text,
      fixHint: reason.fix,
      placeId: form.get('place_id') ?? undefined,
      requestId: request.id,
    });
    return await answer(visit, id, decision, outcome);
  } catch (thrown) {
    const refused = refusalOf(thrown, reason);
    if (refused === undefined) throw thrown;
    return showSubmission({ ...visit, reply: reply.code((thrown as AppError).status) }, refused);
  }
}

async function answer(
  visit: PageRequest,
  id: string,
  decision: string,
  outcome: DecisionOutcome,
): Promise<FastifyReply> {
  const { reply } = visit;
  switch (outcome.outcome) {
    case 'decided':
      return reply.redirect(`/console/review?done=${decision}&id=${id}`, 303);
    case 'not_found':
      throw notFound();
    case 'already_decided': {
      const { by, at, decision: made } = outcome;
      const who = by === visit.staff.email ? 'You' : 'Another reviewer,';
      const text = html`${who} ${by !== visit.staff.email && by} ${made} this revision at ${momentOf(at)}.
      Your decision was not recorded.`;
      return showSubmission({ ...visit, reply: reply.code(409) }, { notice: { kind: 'bad', text } });
    }
    case 'newer_revision': {
      const text = `The agent has sent revision ${outcome.revision} meanwhile. It is shown here; your decision about the earlier one was not recorded.`;
      return showSubmission({ ...visit, reply: reply.code(409) }, { notice: { kind: 'bad', text } });
    }
  }
}

/** What a person can mend on the page itself. */
function refusalOf(thrown: unknown, reason: NonNullable<Refused['reason']>): Refused | undefined {
  if (!(thrown instanceof AppError)) return undefined;
  if (thrown.code === 'validation_failed' && thrown.errors[0]?.pointer === '/reason_code')
    return { reasonFault: 'Choose the reason: the agent is told, and programs switch on it.', reason };
  if (thrown.status !== 409 && thrown.status !== 422) return undefined;
  const text = `${thrown.message} ${thrown.hint ?? 'Nothing was changed.'}`;
  return { notice: { kind: 'bad', text }, reason };
}

function idOf({ request }: PageRequest): string {
  return (request.params as { id: string }).id;
}

function badField(name: string, detail: string): AppError {
  return new AppError('validation_failed', `/${name}: ${detail}`, {
    errors: [{ pointer: `/${name}`, code: 'bad_format', detail }],
  });
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no submission of this id.');
}
