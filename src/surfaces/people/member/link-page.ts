import { z } from 'zod';
import { html, type Html } from '../../../core/text/html.ts';
import {
  LINK_CODE_HOURS,
  listLinkedPartners,
  makeLinkCode,
  unlinkPartner,
  type LinkedPartner,
} from '../../../members/member-link.ts';
import type { Member } from '../../../members/member.ts';
import { actionForm } from '../form/action-form.ts';
import { hiddenInput } from '../form/fields.ts';
import { defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { member } from '../person/people.ts';

const PATH = '/member/link';

const makeCode = defineAction({
  name: 'make_link_code',
  path: `${PATH}/code`,
  who: member,
  title: 'Link a partner',
  help: `You get a code to give to one partner. It works once, for ${LINK_CODE_HOURS} hours, and the partner learns your name and nothing else.`,
  button: 'Show me a code',
  async run({ db, person, now, audit }) {
    const { code } = await makeLinkCode(db, { memberId: person.id, now });
    audit(person.id);
    // The code is in the response body and in no URL, so that it does not enter the browser history.
    return { again: { notice: { kind: 'good', text: shownCode(person.id, code) } } };
  },
});

function shownCode(memberId: string, code: string): Html {
  return html`<p class="link-code"><strong>${code}</strong></p>
    <p>
      Give this code and your member id to one partner. The code is shown only now, works once and for
      ${LINK_CODE_HOURS} hours; a new code replaces it.
    </p>
    <p>Member id: <code>${memberId}</code></p>`;
}

const unlink = defineAction({
  name: 'unlink_partner',
  path: `${PATH}/unlink`,
  who: member,
  fields: { partner_id: hiddenInput(z.string()) },
  button: 'Unlink',
  danger: true,
  async run(act, { partner_id: partnerId }) {
    const name = await unlinkPartner(act.db, act.person.id, partnerId);
    if (name === undefined)
      return { again: { notice: { kind: 'good', text: 'This partner was already unlinked.' } } };
    act.audit(partnerId);
    const text = html`<bdi>${name}</bdi> is unlinked. It can no longer request tables in your name; existing
      requests stay as they are.`;
    return { again: { notice: { kind: 'good', text } } };
  },
});

/** A member decides here which partners may request tables in their name. */
export const linkedPartnersPage = definePage({
  path: PATH,
  who: member,
  load: ({ deps, person }) => listLinkedPartners(deps.pool, person.id),
  view(req, partners, state) {
    const again = state.action === makeCode.name && { button: 'Show me another code' };
    return {
      title: 'Partners',
      lead: 'A partner is a concierge that asks venues for tables. It may use your name only after you have linked it.',
      body: html`<div class="columns">
        <div class="flow">${actionForm(req, makeCode, state, { ...again })} ${STEPS}</div>
        <section class="flow" aria-labelledby="linked">
          <h2 id="linked">Linked partners</h2>
          ${partners.length === 0 ? NONE : list(req, partners)}
        </section>
      </div>`,
    };
  },
  actions: [makeCode, unlink],
});

const STEPS = html`<section class="steps flow" aria-labelledby="steps">
  <h2 id="steps">How it works</h2>
  <ol>
    <li>You show the code and your member id to the partner, once.</li>
    <li>The partner asks for tables in your name. Venues see your name and nothing else.</li>
    <li>Each of these tables is in <a href="/member/tables">your tables</a>, with its answer.</li>
    <li>You end the link at any time. Existing tables stay.</li>
  </ol>
</section>`;

const NONE = html`<div class="empty">
  <h3>No partner is linked</h3>
  <p>When a partner has used your code, it appears here, and you can end the link at any time.</p>
</div>`;

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function list(req: PageRequest<Member>, partners: readonly LinkedPartner[]): Html {
  return html`<ul class="member-partners">
    ${partners.map(
      ({ partnerId, name, linkedAt }) =>
        html`<li class="card">
          <div>
            <h3><bdi>${name}</bdi></h3>
            <p class="hint">
              Linked <time datetime="${linkedAt.toISOString()}">${DATE.format(linkedAt)}</time>
            </p>
          </div>
          ${actionForm(req, unlink, {}, { values: { partner_id: partnerId }, buttonLabel: `Unlink ${name}` })}
        </li>`,
    )}
  </ul>`;
}
