import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  answerConfirmation,
  findQuestion,
  type ConfirmationQuestion,
} from '../../../submissions/publish/confirm-business.ts';
import { hoursText } from '../../../submissions/review/field-diff.ts';
import { actionForm } from '../form/action-form.ts';
import { pressedInput } from '../form/fields.ts';
import { userText, valueButton } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { defineAction, type ActionContext } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { View } from '../person/page-request.ts';

const PATH = '/venue/confirm/:token';

const notSent = () =>
  new AppError('not_found', 'We did not send this link.', {
    hint: 'Open the complete link in the message again.',
  });

/** A business that opened our confirmation link, with the question for it. */
const business: Audience<ConfirmationQuestion> = {
  find: (deps, request) => findQuestion(deps.pool, { token: (request.params as { token: string }).token }),
  actor: () => 'business',
  turnAway: () => {
    throw notSent();
  },
  refusal: notSent,
};

const confirm = defineAction({
  name: 'confirm_business',
  path: PATH,
  who: business,
  fields: { answer: pressedInput(['yes', 'no']) },
  async run(act, { answer }) {
    const token = act.params['token'] ?? '';
    const answered = await answerConfirmation(act.db, act, { token }, answer, 'business');
    if (answered.outcome !== 'answered') act.unchanged();
    return { view: answeredView(act, answered.outcome === 'already' ? answered.answer : answer) };
  },
});

/** A business confirms or denies here that an operator acts for it. */
export const confirmPage = definePage({
  path: PATH,
  who: business,
  load: () => undefined,
  view(req, _data, state) {
    const { deps, person: question } = req;
    const { operatorName, content, answer } = question;
    if (answer !== null) return answeredView(req, answer);
    return {
      title: `Does ${operatorName} act for you?`,
      lead: html`<bdi>${operatorName}</bdi> claims to manage <bdi>${content.name}</bdi> with your permission,
        and submitted the following to ${deps.config.serviceName}. Travellers see none of it until you answer.`,
      body: html`${details(question)}
        ${actionForm(req, confirm, state, {
          buttons: html`${valueButton('answer', 'yes', 'Yes, it acts for us')}
          ${valueButton('answer', 'no', 'No, it does not', 'danger')}`,
        })}
        <p class="hint">
          Yes: the listing is shown, attributed to ${operatorName}. No: it is refused. Only your first answer
          counts.
        </p>`,
    };
  },
  actions: [confirm],
});

function answeredView(
  { deps: { config }, person }: Pick<ActionContext<ConfirmationQuestion>, 'deps' | 'person'>,
  answer: 'yes' | 'no',
): View {
  const { operatorName, content } = person;
  return {
    title: answer === 'yes' ? 'Thank you: the listing is confirmed' : 'Thank you: the listing is refused',
    lead:
      answer === 'yes'
        ? html`<bdi>${content.name}</bdi> is shown on ${config.serviceName}, attributed to
            <bdi>${operatorName}</bdi>.`
        : html`What <bdi>${operatorName}</bdi> submitted about <bdi>${content.name}</bdi> is not shown.`,
    body: html`<p>
      Was that a mistake, or has something changed? Write to
      <a href="mailto:${config.contactEmail}">${config.contactEmail}</a> and we will look at it.
    </p>`,
  };
}

function details({ content, agentName }: ConfirmationQuestion): Html {
  const rows: [term: string, value: string | null][] = [
    ['Name', content.name],
    ['Town', `${content.city}, ${content.country}`],
    ['Address', content.address],
    ['Telephone', content.phone],
    ['Email', content.email],
    ['Website', content.website],
    ['Description', content.description],
    ['Hours', content.hours === null ? null : hoursText(content.hours)],
    ['Submitted by the agent', agentName],
  ];
  return definitionList(
    'details',
    rows.map(([term, value]) => [term, value && userText(value)]),
  );
}
