import type { FastifyReply } from 'fastify';
import { takeOverKey } from '../../../accounts/partners/partner-key-change.ts';
import { findPartnerLink, usePartnerLink } from '../../../accounts/partners/partner-link.ts';
import { recordAudit } from '../../../core/audit.ts';
import { AppError } from '../../../core/errors.ts';
import { html } from '../../../core/text/html.ts';
import { checkCsrf } from '../form/csrf.ts';
import { form, sendPartnerFrame, type Around } from './partner-frame.ts';

/** Behind the link in the mail. Opening it changes nothing: mail programs open links by themselves. */
export async function showKeyPage(around: Around, token: string): Promise<FastifyReply> {
  const { deps } = around;
  const link = await findPartnerLink(deps.pool, 'replace_key', token, deps.clock.now());
  if (link === undefined) throw linkNotGood();
  return sendPartnerFrame(around, {
    title: 'Stop the old key',
    lead: html`This is about the partner key of <strong><bdi>${link.name}</bdi></strong
      >.`,
    body: html`<div class="prose flow">
      <ul>
        <li>The old key stops working at once, wherever it is in use.</li>
        <li>The key in the same mail takes its place. Plan, usage and bookings stay as they are.</li>
      </ul>
      ${form(
        around,
        `/partner/key/${token}`,
        html`<p><button class="button danger" type="submit">Stop the old key now</button></p>`,
      )}
      <p class="soft">If you did not ask for a new key, close the page: nothing has been changed.</p>
    </div>`,
  });
}

export async function stopOldKey(around: Around, token: string): Promise<FastifyReply> {
  const { deps, request } = around;
  checkCsrf(deps, request);
  const now = deps.clock.now();
  const done = await deps.pool.begin(async (sql) => {
    const link = await usePartnerLink(sql, 'replace_key', token, now);
    if (link?.key_hash == null) return false;
    const taken = await takeOverKey(sql, link.key_hash, now);
    if (taken?.changed === true) {
      const [actor, operation] = [taken.partnerId, 'take_over_partner_key'];
      await recordAudit(sql, { at: now, actor, operation, requestId: request.id, subject: actor });
    }
    return taken !== undefined;
  });
  if (!done) throw linkNotGood();
  await deps.lease.lapsed();
  return sendPartnerFrame(around, {
    title: 'The old key has stopped',
    lead: 'The key in the mail is now the only one of your account.',
    body: html`<p class="prose">
      Put it into your product now: send it as <code>X-Partner-Key</code> with every call. Your usage and
      limits are <a href="/partner">here</a>.
    </p>`,
  });
}

function linkNotGood(): AppError {
  return new AppError('link_expired', 'This link was used, is too old, or was not copied whole.', {
    hint: 'If the new key was used already, the old one has stopped. Otherwise sign up again with the same address.',
  });
}
