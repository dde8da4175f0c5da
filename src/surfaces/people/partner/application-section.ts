import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import { applyFor, type PartnerApplication } from '../../../accounts/partners/partner-application.ts';
import type { RateLimit } from '../../../core/operation.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { text } from '../../../core/text/text.ts';
import { DAY_MS } from '../../../core/time.ts';
import type { PartnerPlanName } from '../../../metering/plans.ts';
import { formatTime } from '../console/moment.ts';
import { areaInput } from '../form/fields.ts';
import { badge, card, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { sentenceCase } from '../frame/wording.ts';
import type { ActionContext, ActionResult } from '../person/action.ts';

const APPLICATIONS_PER_DAY = 10;

export const applicationLimit: RateLimit = {
  name: 'partner-applications',
  windowMs: DAY_MS,
  max: () => APPLICATIONS_PER_DAY,
  message: 'You have applied often today.',
};

/** Field of every application: why the partner applies. */
export function applicationReason(label: string, hint: string) {
  return areaInput(text(4, 1000), { label, hint, maxlength: 1000, required: true });
}

export const APPLICATION_DONE = {
  sent: 'Your application is with our staff. You get a mail when they have decided.',
  same: 'You have applied already, and our staff have yet to decide.',
};

/** Stores an application of the signed-in partner. */
export async function sendApplication(
  act: ActionContext<ListedPartner>,
  reason: string,
  plan: PartnerPlanName | null,
): Promise<ActionResult> {
  const { id } = act.person;
  if (!(await applyFor(act.db, { partnerId: id, plan, reason, now: act.now }))) {
    act.unchanged();
    return { done: 'same' };
  }
  act.audit(id, { plan, reason });
  return { done: 'sent' };
}

const STATES = {
  open: ['warn', 'Waiting'],
  granted: ['good', 'Granted'],
  refused: ['bad', 'Refused'],
} as const;

/** Shows how far an application is. */
export function applicationCard(application: PartnerApplication): Html {
  const { state, plan, reason, made_at, decided_at, answer } = application;
  const [kind, label] = STATES[state];
  return card(
    html`Your application ${badge(kind, label)}`,
    html`${definitionList('record', [
      ['For', plan === null ? 'Table requests' : `The plan ${sentenceCase(plan)}`],
      ['Reason', userText(reason)],
      ['Sent', formatTime(made_at)],
      ['Decided', decided_at !== null && formatTime(decided_at)],
      ['Answer', answer !== null && userText(answer)],
    ])}
    ${state === 'open' && html`<p class="soft">Our staff decide, and you get a mail.</p>`}`,
  );
}
