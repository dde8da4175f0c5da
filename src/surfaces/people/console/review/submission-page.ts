import type { FastifyReply } from 'fastify';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { listQueue, reasonCodes } from '../../../../submissions/review/review.ts';
import type { ReviewRecord } from '../../../../submissions/review/review-reading.ts';
import { areaField, choiceField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { sendConsolePage } from '../console-page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { REVIEWER_ROLES, type Staff } from '../../person/people.ts';
import { hiddenTextSection } from '../hidden-text-section.ts';
import { formatTime } from '../moment.ts';
import { queueNavigation } from '../queue.ts';
import {
  agentSection,
  claimSection,
  contactSection,
  diffSection,
  duplicateSection,
  historySection,
} from './evidence-sections.ts';
import { relationshipBadge } from './queue-page.ts';

/** Number of queue items in which the previous and next submission are searched. */
const NEIGHBOURS_MAX = 200;
const CARD = { className: 'card flow' };

/** Sends the page of one submission with everything needed to decide about it. */
export async function sendSubmissionPage(
  req: PageRequest<Staff>,
  record: ReviewRecord,
  state: PageState,
): Promise<FastifyReply> {
  const { pool } = req.deps;
  const [{ items }, hidden] = await Promise.all([
    listQueue(pool, { limit: NEIGHBOURS_MAX }),
    hiddenTextSection(pool, record.submission.id),
  ]);
  const at = items.findIndex((item) => item.submissionId === record.submission.id);
  const { content } = record;
  return sendConsolePage(req, {
    title: 'title' in content ? content.title : content.name,
    current: '/console/review',
    lead: headline(record),
    notice: state.notice,
    body: html`${queueNavigation('/console/review', items[at - 1]?.submissionId, items[at + 1]?.submissionId)}
      <div class="review">
        <div class="evidence">
          ${hidden} ${diffSection(record)} ${record.business === null && contactSection(record.contacts)}
          ${'claims' in content && content.claims.length > 0 && claimSection(content.claims)}
          ${record.business === null && duplicateSection(record)} ${agentSection(record.agent)}
          ${historySection(record.revisions)}
        </div>
        <aside class="verdict follows" id="decision" aria-label="Decision">
          ${decisionForms(req, record, state)}
        </aside>
      </div>`,
  });
}

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
    html`Promotion of
      <a href="${safeHref(`/console/review/${business.id}`)}"><bdi>${business.name}</bdi></a>
      (${sentenceCase(business.status)})`
  }
  Revision ${submission.revision}, submitted ${formatTime(submission.updated_at)}.
  ${submission.status === 'pending_review' && html`Expected by ${formatTime(expectedBy)}.`}
  ${flags.map((flag) => html`<span class="badge warn">${sentenceCase(flag)}</span> `)}`;
}

function decisionForms(req: PageRequest<Staff>, record: ReviewRecord, state: PageState): Html {
  const { submission, revisions } = record;
  if (submission.status !== 'pending_review') {
    const decision = revisions[0]?.decision;
    const { takedown } = submission;
    return html`<section class="card flow">
      <h2>${sentenceCase(submission.status)}</h2>
      ${
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
      ${
        submission.place_id !== null &&
        html`<p><a href="${safeHref(`/p/${submission.place_id}`)}">The listing</a></p>`
      }
    </section>`;
  }
  if (!REVIEWER_ROLES.includes(req.person.role))
    return html`<section class="card"><p>A reviewer or a lead decides about this.</p></section>`;
  return html`${approval(req, record, state)}${rejection(req, record, state)}`;
}

function approval(
  req: PageRequest,
  { submission, place, duplicates, business }: ReviewRecord,
  { form: submitted }: PageState,
): Html {
  const others = duplicates.filter(({ placeId }) => placeId !== place?.id);
  return form(
    req,
    `/console/review/${submission.id}`,
    html`<h2>Approve</h2>
      <input type="hidden" name="decision" value="approved" />
      <input type="hidden" name="revision" value="${submission.revision}" />
      ${
        business === null &&
        choiceField({
          name: 'place_id',
          label: 'Which place it is',
          value: submitted?.get('place_id') ?? '',
          choices: [
            ...(place === null ? [] : [[place.id, `${place.name} (found to be the same)`] as const]),
            ['new', 'A new place'] as const,
            ...others.map(({ placeId, name, distanceM }) => {
              const distanceText = distanceM === null ? '' : `, ${distanceM} m away`;
              return [placeId, `${name}${distanceText}`] as const;
            }),
          ],
        })
      }
      ${
        business !== null &&
        !business.live &&
        html`<p class="hint">Its business is not approved yet: decide about the business first.</p>`
      }
      <button class="button" type="submit" data-key="a">Approve <kbd>a</kbd></button>`,
    CARD,
  );
}

function rejection(
  req: PageRequest,
  { submission }: ReviewRecord,
  { form: submitted, faults = {} }: PageState,
): Html {
  return form(
    req,
    `/console/review/${submission.id}`,
    html`<h2>Reject</h2>
      <input type="hidden" name="decision" value="rejected" />
      <input type="hidden" name="revision" value="${submission.revision}" />
      ${choiceField({
        name: 'reason_code',
        label: 'Reason',
        fault: faults['reason_code'],
        value: submitted?.get('reason_code') ?? '',
        choices: [
          ['', 'Choose a reason'],
          ...Object.entries(reasonCodes).map(([code, { label }]) => [code, label] as const),
        ],
      })}
      ${areaField({
        name: 'reason_text',
        label: 'In your words',
        hint: 'The agent reads this. Leave empty for the standard text of the reason.',
        value: submitted?.get('reason_text') ?? '',
        maxlength: 1000,
      })}
      ${areaField({
        name: 'fix_hint',
        label: 'What they can do about it',
        hint: 'Leave empty for the standard advice.',
        value: submitted?.get('fix_hint') ?? '',
        rows: 2,
        maxlength: 1000,
      })}
      ${['decision', 'revision'].map(
        (name) =>
          faults[name] !== undefined && html`<p class="fault">${sentenceCase(name)}: ${faults[name]}</p>`,
      )}
      <button class="button danger" type="submit" data-key="r" data-focus="reason_code">
        Reject <kbd>r</kbd>
      </button>`,
    CARD,
  );
}
