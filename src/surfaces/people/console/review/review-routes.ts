import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { html } from '../../../../core/text/html.ts';
import { decideSubmission, type DecisionOutcome } from '../../../../submissions/review/decide.ts';
import { readForReview } from '../../../../submissions/review/review.ts';
import { conflict, refuse, type Action, type ActionContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { ALL_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { formatTime } from '../moment.ts';
import { sendQueuePage } from './queue-page.ts';
import { sendSubmissionPage } from './submission-page.ts';

const PATH = '/console/review/:id';
const SUBMISSION_ID = /^(?:sub|prm)_[0-9a-z]{26}$/;

const fields = z.object({
  decision: z.enum(['approved', 'approve', 'rejected', 'reject']),
  revision: z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a revision'),
  reason_code: z.string(),
  reason_text: z.string(),
  fix_hint: z.string(),
  place_id: z.string(),
});

export function addReview(scope: FastifyInstance, deps: Deps): void {
  const who = staff(ALL_ROLES);
  addPage(scope, deps, { path: '/console/review', who, show: sendQueuePage });
  addPage(scope, deps, { path: PATH, who, show: (req) => showSubmission(req, {}) });
  addAction(scope, deps, decide);
}

async function showSubmission(req: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  const record = await readForReview(req.deps.pool, idOf(req));
  if (record === undefined) throw notFound();
  return sendSubmissionPage(req, record, state);
}

const decide: Action<Staff, typeof fields> = {
  name: 'decide_submission',
  path: PATH,
  who: staff(REVIEWER_ROLES),
  form: fields,
  async run(act, values) {
    const submissionId = idOf(act);
    const decision = values.decision.startsWith('approve') ? 'approved' : 'rejected';
    const revision = Number(values.revision);
    const outcome = await decideSubmission(act.db, act, {
      submissionId,
      revision,
      staffId: act.person.id,
      decision,
      reasonCode: values.reason_code,
      reasonText: values.reason_text,
      fixHint: values.fix_hint,
      placeId: values.place_id,
    }).catch(refuseFixable);
    if (outcome.outcome !== 'decided') refuseLate(act, outcome);
    const reason = decision === 'approved' ? null : values.reason_code;
    act.audit(submissionId, { decision, revision, reason });
    return { to: `/console/review?done=${decision}&id=${submissionId}` };
  },
  page: showSubmission,
};

function refuseLate(
  { person }: ActionContext<Staff>,
  outcome: Exclude<DecisionOutcome, { outcome: 'decided' }>,
): never {
  switch (outcome.outcome) {
    case 'not_found':
      throw notFound();
    case 'already_decided': {
      const { by, at, decision } = outcome;
      const who = by === person.email ? 'You' : `Another reviewer, ${by}`;
      return conflict(
        html`${who} ${decision} this revision at ${formatTime(at)}. Your decision was not recorded.`,
      );
    }
    case 'newer_revision':
      return conflict(
        `The agent has sent revision ${outcome.revision} in the meantime. It is shown here; your decision about the earlier one was not recorded.`,
      );
  }
}

/** Shows errors that the reviewer can fix on the page itself; rethrows all others. */
function refuseFixable(thrown: unknown): never {
  if (!(thrown instanceof AppError)) throw thrown;
  if (thrown.code === 'validation_failed' && thrown.errors[0]?.pointer === '/reason_code')
    refuse({ faults: { reason_code: 'Choose the reason: the agent receives it as a code.' } });
  if (![409, 410, 422].includes(thrown.status)) throw thrown;
  const text = `${thrown.message} ${thrown.hint ?? 'Nothing was changed.'}`;
  refuse({ status: thrown.status, notice: { kind: 'bad', text } });
}

function idOf({ params: { id = '' } }: Pick<PageRequest, 'params'>): string {
  if (!SUBMISSION_ID.test(id)) throw notFound();
  return id;
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no submission with this id.');
}
