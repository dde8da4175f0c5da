import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  LINK_CODE_HOURS,
  listLinkedPartners,
  makeLinkCode,
  unlinkPartner,
  type LinkedPartner,
} from '../../../members/member-link.ts';
import type { Member } from '../../../members/member.ts';
import { form, sendFrame } from '../frame/frame.ts';
import type { Action } from '../person/action.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { addActions, addPage } from '../person/person-route.ts';

const LINK_PATH = '/member/link';

export function addLinks(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: LINK_PATH, who: member, show: (req) => sendLinkPage(req) });
  addActions(scope, deps, makeCode, unlink);
}

const makeCode: Action<Member> = {
  name: 'make_link_code',
  path: `${LINK_PATH}/code`,
  who: member,
  async run({ db, person, now, audit }) {
    const { code } = await makeLinkCode(db, { memberId: person.id, now });
    audit(person.id);
    // The code is in the response body and in no URL, so that it does not enter the browser history.
    return { show: (req) => sendLinkPage({ ...req, person }, { code }) };
  },
  page: sendLinkPage,
};

const unlink: Action<Member> = {
  name: 'unlink_partner',
  path: `${LINK_PATH}/unlink`,
  who: member,
  async run(act) {
    const partnerId = act.form.get('partner_id') ?? '';
    const name = await unlinkPartner(act.db, act.person.id, partnerId);
    if (name === undefined)
      return { again: { notice: { kind: 'good', text: 'This partner was already unlinked.' } } };
    act.audit(partnerId);
    const text = html`<bdi>${name}</bdi> is unlinked. It can no longer request tables in your name; existing
      requests stay as they are.`;
    return { again: { notice: { kind: 'good', text } } };
  },
  page: sendLinkPage,
};

/** Sends the page on which a member decides which partners may request tables in their name. */
async function sendLinkPage(
  req: PageRequest<Member>,
  state: { code?: string; notice?: Notice | undefined } = {},
): Promise<FastifyReply> {
  const { deps, person } = req;
  const partners = await listLinkedPartners(deps.pool, person.id);
  return sendFrame(req, 'member', {
    title: 'Partners',
    lead: 'A partner is a concierge that asks venues for tables. It may use your name only after you have linked it.',
    current: LINK_PATH,
    notice: state.notice,
    body: html`<section class="card flow" aria-labelledby="code">
        <h2 id="code">Link a partner</h2>
        ${state.code === undefined ? EXPLANATION : shownCode(person.id, state.code)}
        ${form(
          req,
          `${LINK_PATH}/code`,
          html`<button class="button ${state.code !== undefined && 'plain'}" type="submit">
            ${state.code === undefined ? 'Show me a code' : 'Show me another code'}
          </button>`,
        )}
      </section>
      <section class="flow" aria-labelledby="linked">
        <h2 id="linked">Linked partners</h2>
        ${partners.length === 0 ? NONE : list(req, partners)}
      </section>`,
  });
}

const EXPLANATION = html`<p>
  You get a code to give to one partner. It works once, for ${LINK_CODE_HOURS} hours, and the partner learns
  your name and nothing else.
</p>`;

const NONE = html`<div class="empty">
  <h3>No partner is linked</h3>
  <p>When a partner has used your code, it appears here, and you can end the link at any time.</p>
</div>`;

function shownCode(memberId: string, code: string): Html {
  return html`<p class="link-code" role="status"><strong>${code}</strong></p>
    <p>
      Give this code and your member id to one partner. The code is shown only now, works once and for
      ${LINK_CODE_HOURS} hours; a new code replaces it.
    </p>
    <p>Member id: <code>${memberId}</code></p>`;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function list(req: PageRequest, partners: readonly LinkedPartner[]): Html {
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
          ${form(
            req,
            `${LINK_PATH}/unlink`,
            html`<input type="hidden" name="partner_id" value="${partnerId}" />
              <button class="button danger" type="submit" aria-label="Unlink ${name}">Unlink</button>`,
          )}
        </li>`,
    )}
  </ul>`;
}
