import { z } from 'zod';
import { html, type Html } from '../../../../core/text/html.ts';
import {
  listDecided,
  undoDecisions,
  UNDO_SECONDS,
  type DecidedItem,
} from '../../../../submissions/review/hold-decision.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput } from '../../form/fields.ts';
import { conflict, defineAction } from '../../person/action.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import { reviewers, type Staff } from '../../person/people.ts';
import { decidedIds, decisionNotice } from '../queue.ts';

export const SUBMISSION_ID = /^(?:sub|prm)_[0-9a-z]{26}$/;

/** Takes back the decisions that were just made, of one submission or of several. */
export const undoDecision = defineAction({
  name: 'undo_decision',
  path: '/console/review/undo',
  who: reviewers,
  fields: { ids: hiddenInput(z.string().max(3_000)) },
  button: 'Undo',
  done: 'The decision is undone. The submission is waiting again.',
  async run(act, { ids }) {
    const submissionIds = ids.split(',').filter((id) => SUBMISSION_ID.test(id));
    const undone = await undoDecisions(act.db, { submissionIds, staffId: act.person.id });
    const [first] = undone;
    if (first === undefined) conflict('The minute is over: the decision has taken effect.');
    act.audit(undone.length === 1 ? first : null, { submissions: undone.join() });
    return {
      to:
        undone.length === 1
          ? `/console/review/${first}?done=undo_decision`
          : '/console/review?done=undo_decision',
    };
  },
});

/** Renders the button that takes back decisions. */
export function undoDecisionForm(req: PageRequest<Staff>, ids: readonly string[]): Html | false {
  return actionForm(req, undoDecision, {}, { values: { ids: ids.join() } });
}

/** Reads what the query says was just decided. */
export function readDecided({ deps, query, person }: PageRequest<Staff>): Promise<DecidedItem[]> {
  const submissionIds = decidedIds(query, SUBMISSION_ID);
  return submissionIds.length === 0
    ? Promise.resolve([])
    : listDecided(deps.pool, { submissionIds, staffId: person.id });
}

/** Confirms decisions by name, and offers to undo them while that is possible. */
export function decidedNotice(req: PageRequest<Staff>, decided: readonly DecidedItem[]): Notice | undefined {
  const undoable = decided.filter((item) => item.undoable).map(({ id }) => id);
  const undo =
    undoable.length > 0 &&
    html`<span class="soft">You can undo this for ${UNDO_SECONDS} seconds.</span>
      ${undoDecisionForm(req, undoable)}`;
  return decisionNotice(req.query, '/console/review', decided, undo);
}
