import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  answerQuestion,
  findQuestion,
  type Question,
} from '../../../submissions/publish/confirm-business.ts';
import { hoursText } from '../../../submissions/review/field-diff.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm } from '../form/form-body.ts';
import { form, sendVenuePage } from './venue-frame.ts';

type ConfirmRequest = FastifyRequest<{ Params: { token: string } }>;

/** The page on which a business says whether an operator acts for it. */
export function addConfirmRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.get('/venue/confirm/:token', async (request: ConfirmRequest, reply) =>
    show(deps, request, reply, await asked(deps, request)),
  );
  scope.post('/venue/confirm/:token', async (request: ConfirmRequest, reply) => {
    checkCsrf(deps, request);
    const question = await asked(deps, request);
    const answer = readForm(request).get('answer');
    if (answer !== 'yes' && answer !== 'no')
      throw new AppError('validation_failed', 'Say yes or no.', {
        hint: 'Go back and press one of the two.',
      });
    const told = await answerQuestion(deps, { token: request.params.token }, answer, 'business');
    const stands = told.outcome === 'already' ? told.answer : answer;
    return show(deps, request, reply, { ...question, answer: stands });
  });
}

async function asked(deps: Deps, request: ConfirmRequest): Promise<Question> {
  const question = await findQuestion(deps.pool, { token: request.params.token });
  if (question === undefined)
    throw new AppError('not_found', 'This link is not one that we sent.', {
      hint: 'Open the link in the message again, the whole of it.',
    });
  return question;
}

function show(
  deps: Deps,
  request: ConfirmRequest,
  reply: FastifyReply,
  question: Question,
): Promise<FastifyReply> {
  const { operatorName, content, answer } = question;
  if (answer !== null) return showAnswered(deps, reply, question, answer);
  return sendVenuePage(deps, reply, {
    title: `Does ${operatorName} act for you?`,
    lead: html`<bdi>${operatorName}</bdi> says that it manages <bdi>${content.name}</bdi> with your
      permission, and submitted what follows to ${deps.config.serviceName}. Travellers see none of it until
      you answer.`,
    body: html`${details(question)}
    ${form({
      deps,
      request,
      reply,
      action: `/venue/confirm/${request.params.token}`,
      body: html`<p class="actions">
          <button class="button" type="submit" name="answer" value="yes">Yes, it acts for us</button>
          <button class="button danger" type="submit" name="answer" value="no">No, it does not</button>
        </p>
        <p class="hint">
          Yes: the listing is shown, attributed to ${operatorName}. No: it is refused. Your first answer
          stands.
        </p>`,
    })}`,
  });
}

function showAnswered(
  { config, ...deps }: Deps,
  reply: FastifyReply,
  { operatorName, content }: Question,
  answer: 'yes' | 'no',
): Promise<FastifyReply> {
  return sendVenuePage({ config, ...deps }, reply, {
    title: answer === 'yes' ? 'Thank you: the listing is confirmed' : 'Thank you: the listing is refused',
    lead:
      answer === 'yes'
        ? html`<bdi>${content.name}</bdi> is shown on ${config.serviceName}, attributed to
            <bdi>${operatorName}</bdi>.`
        : html`What <bdi>${operatorName}</bdi> submitted about <bdi>${content.name}</bdi> is not shown.`,
    body: html`<p>
      Was that a slip, or has something changed? Write to
      <a href="mailto:${config.contactEmail}">${config.contactEmail}</a> and a person looks at it.
    </p>`,
  });
}

function details({ content, agentName }: Question): Html {
  const rows: [string, string | null][] = [
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
  return html`<dl class="details">
    ${rows
      .filter(([, value]) => value !== null)
      .map(
        ([term, value]) =>
          html`<div>
            <dt>${term}</dt>
            <dd><bdi>${value}</bdi></dd>
          </div>`,
      )}
  </dl>`;
}
