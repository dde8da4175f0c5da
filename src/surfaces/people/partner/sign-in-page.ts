import type { FastifyReply } from 'fastify';
import { issueKey } from '../../../accounts/keys/key-owner.ts';
import {
  findPartnerLink,
  usePartnerLink,
  type PartnerLink,
} from '../../../accounts/partners/partner-link.ts';
import { mailEndedKey } from '../../../accounts/partners/partner-mail.ts';
import { openPartnerSession } from '../../../accounts/sign-in/partner-session.ts';
import { provePartnerMailbox } from '../../../accounts/agents/prove-mailbox.ts';
import { SIGN_IN_LINK_MINUTES } from '../../../accounts/partners/send-partner-link.ts';
import { recordAudit } from '../../../core/audit.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { addJob } from '../../../jobs/add-job.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import { checkCsrf } from '../form/csrf.ts';
import { codeBlock } from '../docs/code-block.ts';
import { readForm } from '../form/form-body.ts';
import { textField } from '../form/form-field.ts';
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
    body: html`${link.ending_key !== null && firstProof(link.ending_key)}
    ${form(
      around,
      `/partner/sign-in/${token}`,
      html`<p><button class="button" type="submit">Sign in</button></p>`,
    )}`,
  });
}

/** What happens to the key that whoever signed up was given, before it happens. */
function firstProof(endingKey: string): Html {
  return html`<div class="prose flow">
    <p>
      Signing in proves for the first time that this mailbox is yours. Anybody could have signed up with your
      address, and so:
    </p>
    <ul>
      <li>
        The key <code>${endingKey}…</code>, which was given at sign-up, stops working at once, wherever it is
        in use. A webhook that was set with it goes too.
      </li>
      <li>A new key is shown once, on the next page. Have a safe place for it ready.</li>
      <li>Plan and usage stay as they are, and table requests can be switched on for you.</li>
    </ul>
  </div>`;
}

export async function useLink(around: Around, token: string): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  checkCsrf(deps, request);
  const now = deps.clock.now();
  const used = await deps.pool.begin(async (sql) => {
    const link = await usePartnerLink(sql, 'sign_in', token, now);
    if (link === undefined) return undefined;
    const proven = await prove(around, sql, link, now);
    await recordAudit(sql, {
      at: now,
      actor: link.partner_id,
      operation: 'partner_sign_in',
      requestId: request.id,
      subject: link.partner_id,
      detail: { ended_key: proven?.endedKey ?? null },
    });
    return { cookie: await openPartnerSession(deps, sql, link.partner_id), proven };
  });
  if (used === undefined) throw linkNotGood();
  reply.header('cache-control', 'no-store').header('set-cookie', used.cookie);
  if (used.proven === undefined) return reply.redirect('/partner', 303);
  await deps.lease.lapsed();
  return showNewKey(around, used.proven);
}

interface FirstProof {
  endedKey: string;
  apiKey: string;
}

/** The link proves the mailbox. Where that ends the key from before, the person gets another in its place. */
async function prove(
  { deps }: Around,
  db: Db,
  { partner_id: id, name, email }: PartnerLink,
  now: Date,
): Promise<FirstProof | undefined> {
  const { config, newId } = deps;
  const endedKey = await provePartnerMailbox(db, id, now);
  if (endedKey === undefined) return undefined;
  await mailEndedKey({ db, config, newId, now, partner: { id, name, email } }, endedKey);
  return { endedKey, apiKey: await issueKey(db, config.prefix, { partnerId: id }, now) };
}

function showNewKey(around: Around, { endedKey, apiKey }: FirstProof): Promise<FastifyReply> {
  return sendPartnerFrame(around, {
    title: 'Your new partner key',
    lead: html`The mailbox is proven. The key <code>${endedKey}…</code> from before has ended.`,
    body: html`<div class="prose flow">
      ${codeBlock('Partner key', apiKey)}
      <p>
        <strong>Copy it now.</strong> Only a hash of it is kept, so nobody can show it again. Send it as
        <code>X-Partner-Key</code> with every call. It stays good, however often you sign in.
      </p>
      <p><a href="/partner">Your usage and limits</a></p>
    </div>`,
  });
}

function linkNotGood(): AppError {
  return new AppError('link_expired', 'This link was used, is too old, or was not copied whole.', {
    hint: 'Ask for a new one at /partner/sign-in.',
  });
}
