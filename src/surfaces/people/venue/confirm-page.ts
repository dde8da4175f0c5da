import type { PlaceLanguages } from '../../../bookings/language/venue-language.ts';
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
import { callers } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { View } from '../person/page-request.ts';
import {
  areaLanguage,
  frameLanguage,
  pageLanguage,
  type AreaLanguage,
  type AreaText,
} from './language/area-language.ts';

const PATH = '/venue/confirm/:token';

const notSent = () =>
  new AppError('not_found', 'We did not send this link.', {
    hint: 'Open the complete link in the message again.',
  });

/** A business that opened our confirmation link, with the question for it. */
const business = callers<ConfirmationQuestion>(notSent, {
  find: (deps, request) => findQuestion(deps.pool, { token: (request.params as { token: string }).token }),
  actor: () => 'business',
});

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
    const { operatorName: operator, content, answer } = question;
    const path = `/venue/confirm/${req.params['token'] ?? ''}`;
    const shown = pageLanguage({ ...req, person: { place: submittedPlace(question) } }, path);
    if (answer !== null) return { ...answeredView(req, answer), language: shown };
    const { area } = confirmLanguage(req);
    return {
      language: shown,
      title: area('confirm.title', { operator }),
      lead: area('confirm.lead', { operator, place: content.name, service: deps.config.serviceName }),
      body: html`${details(question, area)}
        ${actionForm(req, confirm, state, {
          buttons: html`${valueButton('answer', 'yes', area('reps.yes'))}
          ${valueButton('answer', 'no', area('reps.no'), 'danger')}`,
        })}
        <p class="hint">${area('confirm.means', { operator })}</p>`,
    };
  },
  actions: [confirm],
});

type Answering = Pick<ActionContext<ConfirmationQuestion>, 'deps' | 'person' | 'request'>;

/** The language of the browser, otherwise that of the submitted place. */
function confirmLanguage({ deps, request, person }: Answering): AreaLanguage {
  return areaLanguage({ deps, request, person: { place: submittedPlace(person) } });
}

function submittedPlace({ content: { country } }: ConfirmationQuestion): PlaceLanguages {
  return { languages: [], country };
}

function answeredView(context: Answering, answer: 'yes' | 'no'): View {
  const { config } = context.deps;
  const { operatorName: operator, content } = context.person;
  const language = confirmLanguage(context);
  const { area } = language;
  const names = { operator, place: content.name };
  return {
    language: frameLanguage(language),
    title: area(answer === 'yes' ? 'confirm.yesTitle' : 'confirm.noTitle'),
    lead:
      answer === 'yes'
        ? area('confirm.yesText', { ...names, service: config.serviceName })
        : area('confirm.noText', names),
    body: html`<p>
      ${area('confirm.mistake')} <a href="mailto:${config.contactEmail}">${config.contactEmail}</a>
    </p>`,
  };
}

function details({ content, agentName }: ConfirmationQuestion, area: AreaText): Html {
  const rows: [term: string, value: string | null][] = [
    [area('field.name'), content.name],
    [area('find.town'), `${content.city}, ${content.country}`],
    [area('field.address'), content.address],
    [area('field.phone'), content.phone],
    [area('field.email'), content.email],
    [area('field.website'), content.website],
    [area('part.about'), content.description],
    [area('part.hours'), content.hours === null ? null : hoursText(content.hours)],
    [area('confirm.agent'), agentName],
  ];
  return definitionList(
    'details',
    rows.map(([term, value]) => [term, value && userText(value)]),
  );
}
