import { z } from 'zod';
import { AppError } from '../../../../core/errors.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { answerRepresentative } from '../../../../submissions/takedown/deny-operator.ts';
import type { Representative } from '../../../../venue/representative.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput } from '../../form/fields.ts';
import { badge, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { defineAction } from '../../person/action.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { areaLanguage, withName, type AreaLanguage } from '../language/area-language.ts';

/** The venue's answer about an operator that claims to act for it. */
export const answerRepresentation = defineAction({
  name: 'answer_for_representative',
  path: '/venue/representative',
  who: venue,
  fields: { agent: hiddenInput(z.string()), answer: pressedInput(['yes', 'no']) },
  async run(act, { agent: agentId, answer }) {
    const decision = { placeId: act.person.place.id, agentId, answer };
    const outcome = await answerRepresentative(act.db, act, decision);
    if (outcome === 'not_found')
      throw new AppError(
        'not_found',
        'No such operator submitted anything about your place. Nothing was changed.',
        { hint: 'Go back and load the page again.' },
      );
    if (outcome === 'already') act.unchanged();
    return { done: `acts_${answer}` };
  },
});

/** Lists the operators that submitted claims as representatives of the venue, and asks whether each acts for it. */
export function representativesSection(
  request: PageRequest<Venue>,
  list: readonly Representative[],
): Html | false {
  if (list.length === 0) return false;
  const language = areaLanguage(request);
  const { text, area } = language;
  const { contactEmail } = request.deps.config;
  return html`<section class="flow" aria-labelledby="representatives">
    <h2 id="representatives">${area('reps.title')}</h2>
    <p>${area('reps.intro')}</p>
    <ul class="points">
      <li>${area('reps.yesMeans')}</li>
      <li>${area('reps.noMeans')}</li>
    </ul>
    <p>${area('reps.meanwhile')}</p>
    <ul class="columns">
      ${list.map((one) => representativeCard(request, one, language))}
    </ul>
    <p class="hint">${text('page.help')} <a href="mailto:${contactEmail}">${contactEmail}</a></p>
  </section>`;
}

function representativeCard(request: PageRequest<Venue>, one: Representative, language: AreaLanguage): Html {
  const { area, locale } = language;
  const { operatorName, agentName, relationship, since, said: claims } = one;
  const day = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeZone: request.person.destination.timezone,
  });
  const labels = fieldLabels(language);
  return html`<li class="card flow">
    <h3>
      ${withName(area, relationship === 'owner' ? 'reps.owner' : 'reps.manager', userText(operatorName))}
    </h3>
    ${
      claims.length === 0
        ? html`<p class="soft">${area('reps.nothing')}</p>`
        : definitionList(
            'details',
            claims.map(({ field, value }) => [labels[field] ?? field, userText(value)]),
          )
    }
    <p class="soft">${withName(area, 'reps.since', userText(agentName), { day: day.format(since) })}</p>
    ${answerForm(request, one, language)}
  </li>`;
}

function fieldLabels({ text, area }: AreaLanguage): Readonly<Record<string, string>> {
  return {
    name: text('page.name'),
    address: area('field.address'),
    city: area('find.town'),
    kind: area('field.kind'),
    phone: area('field.phone'),
    email: area('field.email'),
    website: area('field.website'),
    about: area('part.about'),
    languages: area('field.languages'),
    price_range: area('field.prices'),
    hours: area('part.hours'),
  };
}

function answerForm(
  req: PageRequest<Venue>,
  { agentId, operatorName, answer }: Representative,
  { area }: AreaLanguage,
): Html | false {
  const button = (value: 'yes' | 'no', label: string, kind: string) =>
    html`<button class="button ${kind}" type="submit" name="answer" value="${value}">
      ${label}<span class="unseen">: ${operatorName}</span>
    </button>`;
  const buttons = html`${answer === 'yes' && badge('good', area('answered.yes'))}
  ${answer === 'no' && badge('', area('answered.no'))}
  ${answer === null && button('yes', area('reps.yes'), '')}
  ${answer === null && button('no', area('reps.no'), 'danger')}
  ${answer === 'yes' && button('no', area('reps.changeNo'), 'plain')}
  ${answer === 'no' && button('yes', area('reps.changeYes'), 'plain')}`;
  return actionForm(req, answerRepresentation, {}, { values: { agent: agentId }, buttons });
}
