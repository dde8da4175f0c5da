import { z } from 'zod';
import { AppError } from '../../../../core/errors.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { answerRepresentative } from '../../../../submissions/takedown/deny-operator.ts';
import type { Representative } from '../../../../venue/representative.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput } from '../../form/fields.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { defineAction } from '../../person/action.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';

const FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  address: 'Address',
  phone: 'Telephone',
  email: 'Email',
  website: 'Website',
  about: 'Description',
  languages: 'Languages',
  price_range: 'Prices',
  hours: 'Hours',
};

const RELATIONSHIP_TEXT: Readonly<Record<Representative['relationship'], string>> = {
  owner: 'claims to be the owner of this place',
  authorized_agent: 'claims to manage this place with your permission',
};

/** The venue's answer about an operator that claims to act for it. */
export const answerRepresentation = defineAction({
  name: 'answer_for_representative',
  path: '/venue/representative',
  who: venue,
  fields: { agent: hiddenInput(z.string()), answer: pressedInput(['yes', 'no']) },
  done: {
    acts_yes: 'What this operator submits now counts as your own information.',
    acts_no:
      'Everything that this operator submitted about your place is deleted, and the operator is informed.',
  },
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
  const { contactEmail } = request.deps.config;
  return html`<section class="flow" aria-labelledby="representatives">
    <h2 id="representatives">Who acts in your name</h2>
    <p>
      Only you know whether they act for you. <strong>Yes:</strong> what they submitted, and what they submit
      later, counts as your own information, and we may use contacts that they gave to reach you.
      <strong>No:</strong>
      everything that they submitted is deleted from your listing, and they are informed. Until you answer, it
      is marked as submitted by an agent, and fills only fields that nobody else has published. You can change
      your answer at any time.
    </p>
    <ul class="columns">
      ${list.map((one) => representativeCard(request, one))}
    </ul>
    <p class="hint">
      Is something wrong that you cannot change here? Write to
      <a href="mailto:${contactEmail}">${contactEmail}</a>.
    </p>
  </section>`;
}

function representativeCard(request: PageRequest<Venue>, one: Representative): Html {
  const { operatorName, agentName, relationship, since, said: claims } = one;
  const day = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeZone: request.person.destination.timezone,
  });
  return html`<li class="card flow">
    <h3><bdi>${operatorName}</bdi> ${RELATIONSHIP_TEXT[relationship]}</h3>
    ${
      claims.length === 0
        ? html`<p class="soft">Your listing contains nothing from this operator.</p>`
        : definitionList(
            'details',
            claims.map(({ field, value }) => [FIELDS[field] ?? field, html`<bdi>${value}</bdi>`]),
          )
    }
    <p class="soft">Submitted by the agent <bdi>${agentName}</bdi>, first on ${day.format(since)}.</p>
    ${answerForm(request, one)}
  </li>`;
}

function answerForm(
  req: PageRequest<Venue>,
  { agentId, operatorName, answer }: Representative,
): Html | false {
  const button = (value: 'yes' | 'no', label: string, kind: string) =>
    html`<button class="button ${kind}" type="submit" name="answer" value="${value}">
      ${label}<span class="unseen">: ${operatorName}</span>
    </button>`;
  const buttons = html`${answer === 'yes' && html`<span class="badge good">You said yes</span>`}
  ${answer === 'no' && html`<span class="badge">You said no</span>`}
  ${answer === null && button('yes', 'Yes, it acts for us', '')}
  ${answer === null && button('no', 'No, it does not', 'danger')}
  ${answer === 'yes' && button('no', 'Change: it does not act for us', 'plain')}
  ${answer === 'no' && button('yes', 'Change: it acts for us', 'plain')}`;
  return actionForm(req, answerRepresentation, {}, { values: { agent: agentId }, buttons });
}
