import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  answerConfirmation,
  findQuestion,
  type ConfirmationQuestion,
} from '../../../submissions/publish/confirm-business.ts';
import { hoursText } from '../../../submissions/review/field-diff.ts';
import { definitionList } from '../frame/definition-list.ts';
import { form, sendFrame } from '../frame/frame.ts';
import type { Action } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import type { PageRequest } from '../person/page-request.ts';
import { addAction, addPage } from '../person/person-route.ts';

const PATH = '/venue/confirm/:token';

const notSent = () =>
  new AppError('not_found', 'We did not send this link.', {
    hint: 'Open the complete link in the message again.',
  });

/** A business that opened our confirmation link, with the question for it. */
const business: Audience<ConfirmationQuestion> = {
  find: (deps, request) => findQuestion(deps.pool, { token: tokenOf(request) }),
  actor: () => 'business',
  turnAway: () => {
    throw notSent();
  },
  refusal: notSent,
};

/** Adds the page on which a business confirms or denies that an operator acts for it. */
export function addConfirmRoutes(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: business, show: sendConfirmPage });
  addAction(scope, deps, confirm);
}

const confirm: Action<ConfirmationQuestion> = {
  name: 'confirm_business',
  path: PATH,
  who: business,
  async run(act) {
    const answer = act.form.get('answer');
    if (answer !== 'yes' && answer !== 'no')
      throw new AppError('validation_failed', 'Please answer yes or no.', {
        hint: 'Go back and press one of the two buttons.',
      });
    const token = tokenOf(act.request);
    const answered = await answerConfirmation(act.db, act, { token }, answer, 'business');
    if (answered.outcome !== 'answered') act.unchanged();
    const effectiveAnswer = answered.outcome === 'already' ? answered.answer : answer;
    return { show: (request) => sendAnsweredPage(request, act.person, effectiveAnswer) };
  },
  page: sendConfirmPage,
};

function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

function sendConfirmPage(request: PageRequest<ConfirmationQuestion>): Promise<FastifyReply> {
  const { deps, person: question } = request;
  const { operatorName, content, answer } = question;
  if (answer !== null) return sendAnsweredPage(request, question, answer);
  return sendFrame(request, 'venue', {
    title: `Does ${operatorName} act for you?`,
    lead: html`<bdi>${operatorName}</bdi> claims to manage <bdi>${content.name}</bdi> with your permission,
      and submitted the following to ${deps.config.serviceName}. Travellers see none of it until you answer.`,
    body: html`${details(question)}
    ${form(
      request,
      `/venue/confirm/${tokenOf(request.request)}`,
      html`<p class="actions">
          <button class="button" type="submit" name="answer" value="yes">Yes, it acts for us</button>
          <button class="button danger" type="submit" name="answer" value="no">No, it does not</button>
        </p>
        <p class="hint">
          Yes: the listing is shown, attributed to ${operatorName}. No: it is refused. Only your first answer
          counts.
        </p>`,
    )}`,
  });
}

function sendAnsweredPage(
  request: PageRequest,
  { operatorName, content }: ConfirmationQuestion,
  answer: 'yes' | 'no',
): Promise<FastifyReply> {
  const { config } = request.deps;
  return sendFrame(request, 'venue', {
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
  });
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
    rows.map(([term, value]) => [term, value && html`<bdi>${value}</bdi>`]),
  );
}
