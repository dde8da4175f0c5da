import { z } from 'zod';
import { listHiddenText } from '../../../../core/audit.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { decideSubmission, type DecisionOutcome } from '../../../../submissions/review/decide.ts';
import { holdDecision } from '../../../../submissions/review/hold-decision.ts';
import type { ReviewRecord } from '../../../../submissions/review/review-reading.ts';
import { listQueue, nextInQueue, readForReview, reasonCodes } from '../../../../submissions/review/review.ts';
import { actionForm } from '../../form/action-form.ts';
import { areaInput, hiddenInput, selectInput } from '../../form/fields.ts';
import { badge, card, link, noteCard, userText } from '../../frame/components.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { conflict, defineAction, refuse, type ActionContext } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { allStaff, reviewers, type Staff } from '../../person/people.ts';
import { hiddenTextSection } from '../hidden-text-section.ts';
import { formatTime } from '../moment.ts';
import { NEIGHBOURS_MAX, queueNavigation } from '../queue.ts';
import { decidedNotice, readDecided, SUBMISSION_ID, undoDecisionForm } from './undo.ts';
import {
  agentSection,
  claimSection,
  contactSection,
  diffSection,
  duplicateSection,
  historySection,
  submittedSection,
} from './evidence-sections.ts';
import { relationshipBadge } from './evidence-sections.ts';

const PATH = '/console/review/:id';

const decide = defineAction({
  name: 'decide_submission',
  path: PATH,
  who: reviewers,
  fields: {
    decision: hiddenInput(z.enum(['approved', 'approve', 'rejected', 'reject'])),
    revision: hiddenInput(z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a revision')),
    hold: hiddenInput(z.enum(['', 'yes'])),
    place_id: selectInput(z.string(), { label: 'Which place it is', choices: [] }),
    reason_code: selectInput(z.string(), {
      label: 'Reason',
      choices: [
        ['', 'Choose a reason'],
        ...Object.entries(reasonCodes).map(
          ([code, { label }], at) => [code, `${label} · ${at + 1}`] as const,
        ),
      ],
    }),
    reason_text: areaInput(z.string(), {
      label: 'In your words',
      hint: 'The agent reads this. Leave empty for the standard text of the reason.',
      maxlength: 1000,
    }),
    fix_hint: areaInput(z.string(), {
      label: 'What they can do about it',
      hint: 'Leave empty for the standard advice.',
      rows: 2,
      maxlength: 1000,
    }),
  },
  async run(act, values) {
    const submissionId = idOf(act);
    const decision = values.decision.startsWith('approve') ? 'approved' : 'rejected';
    const revision = Number(values.revision);
    const isHeld = values.hold === 'yes';
    const next = isHeld ? await nextInQueue(act.db, submissionId) : undefined;
    const outcome = await (isHeld ? holdDecision : decideSubmission)(act.db, act, {
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
    return {
      to: `/console/review${next === undefined ? '' : `/${next}`}?done=${decision}&id=${submissionId}`,
    };
  },
});

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

/** One submission with everything needed to decide about it. */
export const submissionPage = definePage({
  path: PATH,
  who: allStaff,
  async load(req) {
    const { pool } = req.deps;
    const record = await readForReview(pool, idOf(req));
    if (record === undefined) throw notFound();
    const [{ items }, hiddenTexts, decided, streets] = await Promise.all([
      listQueue(pool, { limit: NEIGHBOURS_MAX }),
      listHiddenText(pool, record.submission.id),
      readDecided(req),
      req.deps.streets.look(),
    ]);
    return { record, items, hiddenTexts, decided, streets };
  },
  view(req, { record, items, hiddenTexts, decided, streets }, state) {
    const at = items.findIndex((item) => item.submissionId === record.submission.id);
    const { content } = record;
    return {
      title: 'title' in content ? content.title : content.name,
      lead: headline(record),
      notice: state.notice ?? decidedNotice(req, decided),
      scripts: ['street-map.js'],
      body: html`${queueNavigation('/console/review', items[at - 1]?.submissionId, items[at + 1]?.submissionId)}
        <div class="review">
          <div class="evidence">
            ${hiddenTextSection(hiddenTexts)} ${diffSection(record)} ${submittedSection(content, streets)}
            ${record.business === null && contactSection(record)}
            ${'claims' in content && content.claims.length > 0 && claimSection(content.claims)}
            ${record.business === null && duplicateSection(record)} ${agentSection(record.agent)}
            ${historySection(record.revisions)}
          </div>
          <aside class="verdict follows" id="decision" aria-label="Decision">
            ${decisionForms(req, record, state)}
          </aside>
        </div>`,
    };
  },
  actions: [decide],
});

function headline({ submission, content, expectedBy, revisions, business, venueAnswer }: ReviewRecord): Html {
  const flags = revisions[0]?.flags ?? [];
  return html`${'relationship' in content && relationshipBadge(content.relationship)}
  ${
    venueAnswer !== null &&
    html`<span class="badge ${venueAnswer === 'yes' ? 'good' : 'bad'}"
      >The venue: this operator ${venueAnswer === 'yes' ? 'acts' : 'does not act'} for us</span
    >`
  }
  ${
    business !== null &&
    html`Promotion of ${link(`/console/review/${business.id}`, userText(business.name))}
    (${sentenceCase(business.status)})`
  }
  Revision ${submission.revision}, submitted ${formatTime(submission.updated_at)}.
  ${submission.status === 'pending_review' && html`Expected by ${formatTime(expectedBy)}.`}
  ${flags.map((flag) => html`${badge('warn', sentenceCase(flag))} `)}`;
}

function decisionForms(req: PageRequest<Staff>, record: ReviewRecord, state: PageState): Html {
  const { submission, revisions, held } = record;
  if (held !== undefined)
    return card(
      `${sentenceCase(held.decision)} by ${held.staffId === req.person.id ? 'you' : held.by}`,
      html`<p>It takes effect within a minute.</p>
        ${held.staffId === req.person.id && undoDecisionForm(req, [submission.id])}`,
    );
  if (submission.status !== 'pending_review') {
    const decision = revisions[0]?.decision;
    const { takedown } = submission;
    return card(
      sentenceCase(submission.status),
      html`${
          takedown !== null &&
          html`<p>
            Taken down by ${takedown.by}, ${formatTime(new Date(takedown.at))}:
            ${sentenceCase(takedown.reason_code)}. <bdi>${takedown.reason_text}</bdi>
          </p>`
        }
        <p>
          ${
            decision !== null &&
            decision !== undefined &&
            html`${takedown === null ? 'By' : `Before that ${decision.decision} by`} ${decision.by},
            ${formatTime(new Date(decision.at))}.`
          }
          ${submission.live_blocked_by !== null && html` Not live: waiting for the business to confirm.`}
        </p>
        ${submission.place_id !== null && html`<p>${link(`/p/${submission.place_id}`, 'The listing')}</p>`}`,
    );
  }
  if (!reviewers.allows(req.person)) return noteCard('A reviewer or a lead decides about this.');
  return html`${approval(req, record, state)}${rejection(req, record, state)}`;
}

function approval(
  req: PageRequest<Staff>,
  { submission, place, duplicates, business }: ReviewRecord,
  state: PageState,
): Html | false {
  const others = duplicates.filter(({ placeId }) => placeId !== place?.id);
  const choices = [
    ...(place === null ? [] : [[place.id, `${place.name} (found to be the same)`] as const]),
    ['new', 'A new place'] as const,
    ...others.map(({ placeId, name, distanceM }) => {
      const distanceText = distanceM === null ? '' : `, ${distanceM} m away`;
      return [placeId, `${name}${distanceText}`] as const;
    }),
  ];
  return actionForm(req, decide, state, {
    idPrefix: 'approval',
    title: 'Approve',
    values: { decision: 'approved', revision: String(submission.revision), hold: 'yes' },
    fields: { ...NO_FIELDS, place_id: business === null && { choices } },
    more:
      business !== null &&
      !business.live &&
      html`<p class="hint">Its business is not approved yet: decide about the business first.</p>`,
    buttons: html`<button class="button" type="submit" data-key="a">Approve <kbd>a</kbd></button>`,
  });
}

const NO_FIELDS = { place_id: false, reason_code: false, reason_text: false, fix_hint: false } as const;

function rejection(req: PageRequest<Staff>, { submission }: ReviewRecord, state: PageState): Html | false {
  return actionForm(req, decide, state, {
    idPrefix: 'rejection',
    title: 'Reject',
    values: { decision: 'rejected', revision: String(submission.revision), hold: 'yes' },
    fields: { place_id: false },
    buttons: html`<button class="button danger" type="submit" data-key="r" data-focus="rejection-reason_code">
      Reject <kbd>r</kbd>
    </button>`,
  });
}
