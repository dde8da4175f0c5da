import type { FastifyReply } from 'fastify';
import { findPartnerLink, usePartnerLink } from '../../../accounts/partner-link.ts';
import { openPartnerSession } from '../../../accounts/partner-session.ts';
import { SIGN_IN_LINK_MINUTES } from '../../../accounts/send-partner-link.ts';
import { recordAudit } from '../../../core/audit.ts';
import { AppError } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import { emailAddress } from '../../../core/text.ts';
import { addJob } from '../../../jobs/add-job.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import { checkCsrf } from '../csrf.ts';
import { readForm } from '../form-body.ts';
import { textField } from '../form-field.ts';
import { form, sendPartnerFrame, type Around } from './partner-frame.ts';

const HOUR_MS = 3_600_000;
/** Requests from one address that lead to a mail; whoever sends more gets the same answer. */
const REQUESTS_PER_HOUR = 20;

export function showSignIn(
  around: Around,
  { email = '', fault }: { email?: string; fault?: string } = {},
): Promise<FastifyReply> {
  return sendPartnerFrame(around, {
    title: 'Partner sign-in',
    lead: 'See your usage, your limits and what calls past the allowance cost.',
    status: fault === undefined ? 200 : 422,
    body: html`<section class="card flow">
        ${form(
          around,
          '/partner/sign-in',
          html`${textField({
              name: 'email',
              label: 'Email',
              hint: 'The address that you signed up with. A link goes there; there is no password.',
              type: 'email',
              autocomplete: 'email',
              inputmode: 'email',
              maxlength: 254,
              required: true,
              value: email,
              fault,
            })}
            <p><button class="button" type="submit">Mail me a link</button></p>`,
        )}
      </section>
      <p class="soft">
        No account yet? A program gets a key with <code>POST /api/partner/signup</code>: the
        <a href="/docs">API reference</a> shows how.
      </p>`,
  });
}

/** Takes an address. The answer is the same whether or not anybody is known under it. */
export async function requestLink(around: Around): Promise<FastifyReply> {
  const { deps, request } = around;
  checkCsrf(deps, request);
  const given = (readForm(request).get('email') ?? '').slice(0, 300);
  const parsed = emailAddress().safeParse(given);
  if (!parsed.success)
    return showSignIn(around, {
      email: given,
      fault: 'This is not an email address. It looks like name@example.com.',
    });
  const limit = { name: `partner_sign_in/${request.ip}`, max: REQUESTS_PER_HOUR, windowMs: HOUR_MS };
  const { allowed } = await takeFromWindow(deps.pool, limit, deps.clock.now());
  if (allowed) await addJob(deps.pool, 'send_partner_link', { email: parsed.data });
  return sendPartnerFrame(around, {
    title: 'Look into your mailbox',
    body: html`<div class="prose flow">
      <p>
        If a partner account has the address <strong><bdi>${parsed.data}</bdi></strong
        >, a link is on its way to it. It works once, within ${SIGN_IN_LINK_MINUTES} minutes.
      </p>
      <p><a href="/partner/sign-in">Use another address</a></p>
    </div>`,
  });
}

/** Behind the link in the mail. Opening it changes nothing: mail programs open links by themselves. */
export async function showLink(around: Around, token: string): Promise<FastifyReply> {
  const { deps } = around;
  const link = await findPartnerLink(deps.pool, 'sign_in', token, deps.clock.now());
  if (link === undefined) throw linkNotGood();
  return sendPartnerFrame(around, {
    title: 'Sign in',
    lead: html`You are signing in for <strong><bdi>${link.name}</bdi></strong
      >.`,
    body: form(
      around,
      `/partner/sign-in/${token}`,
      html`<p><button class="button" type="submit">Sign in</button></p>`,
    ),
  });
}

export async function useLink(around: Around, token: string): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  checkCsrf(deps, request);
  const now = deps.clock.now();
  const cookie = await deps.pool.begin(async (sql) => {
    const link = await usePartnerLink(sql, 'sign_in', token, now);
    if (link === undefined) return undefined;
    await recordAudit(sql, {
      at: now,
      actor: link.partner_id,
      operation: 'partner_sign_in',
      requestId: request.id,
      subject: link.partner_id,
    });
    return openPartnerSession(deps, sql, link.partner_id);
  });
  if (cookie === undefined) throw linkNotGood();
  return reply.header('cache-control', 'no-store').header('set-cookie', cookie).redirect('/partner', 303);
}

function linkNotGood(): AppError {
  return new AppError('link_expired', 'This link was used, is too old, or was not copied whole.', {
    hint: 'Ask for a new one at /partner/sign-in.',
  });
}
