import { z } from 'zod';
import { AppError } from '../../../../core/errors.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { holdDecision } from '../../../../submissions/review/hold-decision.ts';
import { reasonCodes } from '../../../../submissions/review/review.ts';
import { formFields } from '../../form/action-form.ts';
import { selectInput } from '../../form/fields.ts';
import { valueButton } from '../../frame/components.ts';
import { csrfField } from '../../form/csrf.ts';
import { defineAction, refuse } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { reviewers, type Staff } from '../../person/people.ts';

const PATH = '/console/review/many';
/** A chosen submission with the revision that the reviewer saw. */
const CHOSEN = /^((?:sub|prm)_[0-9a-z]{26}):([1-9]\d{0,8})$/;
const CHOSEN_MAX = 50;

/** Makes one decision about all chosen submissions. Those that changed in the meantime stay in the queue. */
export const decideMany = defineAction({
  name: 'decide_submissions',
  path: PATH,
  who: reviewers,
  fields: {
    decision: selectInput(z.enum(['approved', 'rejected']), { label: 'Decision', choices: [] }),
    reason_code: selectInput(z.string(), {
      label: 'Reason of a rejection',
      choices: [
        ['', 'Choose a reason'],
        ...Object.entries(reasonCodes).map(([code, { label }]) => [code, label] as const),
      ],
    }),
  },
  async run(act, { decision, reason_code: reasonCode }) {
    const chosen = act.form.getAll('chosen').flatMap((value) => {
      const [, submissionId, revision] = CHOSEN.exec(value) ?? [];
      return submissionId === undefined ? [] : [{ submissionId, revision: Number(revision) }];
    });
    if (chosen.length === 0 || chosen.length > CHOSEN_MAX)
      refuse({ notice: { kind: 'bad', text: `Choose 1 to ${CHOSEN_MAX} submissions first.` } });
    if (decision === 'rejected' && reasonCode === '')
      refuse({ faults: { reason_code: 'Choose the reason: the agents receive it as a code.' } });
    const decided: string[] = [];
    for (const { submissionId, revision } of chosen) {
      const request = { submissionId, revision, staffId: act.person.id, decision, reasonCode };
      await act.db`savepoint one_of_many`;
      try {
        const { outcome } = await holdDecision(act.db, act, request);
        if (outcome === 'decided') decided.push(submissionId);
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
        await act.db`rollback to savepoint one_of_many`;
      }
    }
    if (decided.length === 0)
      refuse({
        status: 409,
        notice: { kind: 'bad', text: 'None of them could be decided like this. Open them one by one.' },
      });
    act.audit(null, {
      decision,
      submissions: decided.join(),
      reason: decision === 'rejected' ? reasonCode : null,
    });
    const left = chosen.length - decided.length;
    return { to: `/console/review?done=${decision}&id=${decided.join()}${left > 0 ? `&left=${left}` : ''}` };
  },
});

/** Renders the form for the chosen rows; their boxes belong to it by its id. */
export function bulkForm(req: PageRequest<Staff>, state: PageState): Html | false {
  const { deps, request, reply, person } = req;
  if (!reviewers.allows(person)) return false;
  const left = Number(req.query.get('left'));
  return html`<form class="filters bulk" id="decide-many" method="post" action="${PATH}">
    ${csrfField(deps, request, reply)}
    ${left > 0 && html`<p>${formatCount(left, 'submission')} could not be decided like this: open them one by one.</p>`}
    ${formFields(decideMany, state, { fields: { decision: false } })}
    ${valueButton('decision', 'approved', 'Approve the chosen')}
    ${valueButton('decision', 'rejected', 'Reject the chosen', 'danger')}
  </form>`;
}
