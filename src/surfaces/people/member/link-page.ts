import type { FastifyReply } from 'fastify';
import { recordAudit } from '../../../core/audit.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  LINK_CODE_HOURS,
  listLinkedPartners,
  makeLinkCode,
  unlinkPartner,
  type LinkedPartner,
} from '../../../members/member-link.ts';
import { form } from '../frame/around.ts';
import { sendMemberPage, type MemberVisit, type Notice } from './member-frame.ts';

const LINK_PATH = '/member/link';

/** Where a member says which partners may ask for tables in their name. */
export async function sendLinkPage(
  visit: MemberVisit,
  told: { code?: string; notice?: Notice } = {},
): Promise<FastifyReply> {
  const { deps, member } = visit;
  const partners = await listLinkedPartners(deps.pool, member.id);
  return sendMemberPage(visit, {
    title: 'Partners',
    lead: 'A partner is a concierge that asks venues for tables. It may use your name only after you linked it.',
    current: LINK_PATH,
    notice: told.notice,
    body: html`<section class="card flow" aria-labelledby="code">
        <h2 id="code">Link a partner</h2>
        ${told.code === undefined ? HOW : shownCode(member.id, told.code)}
        ${form(
          visit,
          `${LINK_PATH}/code`,
          html`<button class="button ${told.code !== undefined && 'plain'}" type="submit">
            ${told.code === undefined ? 'Show me a code' : 'Show me another code'}
          </button>`,
        )}
      </section>
      <section class="flow" aria-labelledby="linked">
        <h2 id="linked">Linked partners</h2>
        ${partners.length === 0 ? NONE : list(visit, partners)}
      </section>`,
  });
}

const HOW = html`<p>
  You get a code to give to one partner. It works once, for ${LINK_CODE_HOURS} hours, and the partner learns
  your name and nothing else.
</p>`;

const NONE = html`<div class="empty">
  <h3>No partner is linked</h3>
  <p>When a partner has used your code, it stands here, and you can end the link at any time.</p>
</div>`;

function shownCode(memberId: string, code: string): Html {
  return html`<p class="link-code" role="status"><strong>${code}</strong></p>
    <p>
      Give this code and your member id to one partner. The code is shown only now, works once and for
      ${LINK_CODE_HOURS} hours; a new one takes its place.
    </p>
    <p>Member id: <code>${memberId}</code></p>`;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function list(visit: MemberVisit, partners: readonly LinkedPartner[]): Html {
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
            visit,
            `${LINK_PATH}/unlink`,
            html`<input type="hidden" name="partner_id" value="${partnerId}" />
              <button class="button danger" type="submit" aria-label="Unlink ${name}">Unlink</button>`,
          )}
        </li>`,
    )}
  </ul>`;
}

/** The code stands in the answer to the form and in no address, so that no history keeps it. */
export async function showLinkCode(visit: MemberVisit): Promise<FastifyReply> {
  const { deps, member, now } = visit;
  const { code } = await makeLinkCode(deps.pool, { memberId: member.id, now });
  return sendLinkPage(visit, { code });
}

export async function takeUnlink(visit: MemberVisit): Promise<FastifyReply> {
  const { deps, member, form: fields, request, now } = visit;
  const partnerId = fields.get('partner_id') ?? '';
  const name = await deps.pool.begin(async (sql) => {
    const gone = await unlinkPartner(sql, member.id, partnerId);
    if (gone !== undefined)
      await recordAudit(sql, {
        at: now,
        actor: member.id,
        operation: 'unlink_partner',
        requestId: request.id,
        subject: partnerId,
      });
    return gone;
  });
  const text =
    name === undefined
      ? 'This partner was not linked any more.'
      : html`<bdi>${name}</bdi> is unlinked. It can ask for no more tables in your name; those that were asked
          for stay as they are.`;
  return sendLinkPage(visit, { notice: { kind: 'good', text } });
}
