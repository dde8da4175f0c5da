import { provePartnerMailbox } from '../../../accounts/agents/prove-mailbox.ts';
import { issueKey } from '../../../accounts/keys/key-owner.ts';
import { activatePendingKey } from '../../../accounts/partners/partner-key-change.ts';
import {
  findPartnerLink,
  usePartnerLink,
  type PartnerLink,
} from '../../../accounts/partners/partner-link.ts';
import { mailEndedKey } from '../../../accounts/partners/partner-mail.ts';
import { SIGN_IN_LINK_MINUTES } from '../../../accounts/partners/send-partner-link.ts';
import { openSession } from '../../../accounts/sign-in/session.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { addJob } from '../../../jobs/add-job.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import { assetUrl } from '../assets.ts';
import { codeBlock } from '../docs/code-block.ts';
import { actionForm } from '../form/action-form.ts';
import { ownEmailInput } from '../form/fields.ts';
import { icon } from '../frame/icon.ts';
import { defineAction, type ActionContext } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import type { PageRequest, View } from '../person/page-request.ts';
import { definePage } from '../person/page.ts';

const PATH = '/partner/sign-in';
/** Maximum number of mails per hour and client address. Further requests get the same response, but no mail is sent. */
const REQUESTS_PER_HOUR = 20;

/** Requests a sign-in link. The response is the same whether or not the address has an account. */
const requestLink = defineAction({
  name: 'request_partner_link',
  path: PATH,
  who: anybody,
  fields: {
    email: ownEmailInput({
      hint: 'The address that you signed up with. We send a link there; there is no password.',
    }),
  },
  button: 'Mail me a link',
  plain: false,
  async run(act, { email }) {
    const name = `partner_sign_in/${act.person.address}`;
    const limit = { name, max: REQUESTS_PER_HOUR, windowMs: HOUR_MS };
    if ((await takeFromWindow(act.db, limit, act.now)).allowed)
      await addJob(act.db, 'send_partner_link', { email });
    else act.unchanged();
    return { view: mailboxHint(email) };
  },
});

/** Says that a link is on its way, without telling whether there is an account. */
export function mailboxHint(email: string): View {
  return {
    title: 'Check your mailbox',
    body: html`<div class="prose flow">
      <p>
        If a partner account has the address <strong><bdi>${email}</bdi></strong
        >, a link is on its way to it. It works once, within ${SIGN_IN_LINK_MINUTES} minutes.
      </p>
      <p><a href="/partner/sign-in">Use another address</a></p>
    </div>`,
  };
}

/** Partners sign in by a link that is mailed to them. */
export const partnerSignInPage = definePage({
  path: PATH,
  who: anybody,
  load: () => undefined,
  view: (req, _data, state) => ({
    title: 'Partner sign-in',
    lead: 'See your usage, your limits and what calls beyond the allowance cost.',
    body: html`<div class="columns">
      <div class="flow">
        ${actionForm(req, requestLink, state, { className: 'card flow' })}
        <p class="soft">
          No account yet? <a href="/partner/sign-up">Become a partner</a>. A program gets a key by itself: the
          <a href="/docs">API reference</a> shows how.
        </p>
      </div>
      ${partnerReasons()}
    </div>`,
  }),
  actions: [requestLink],
});

/** Renders a picture and what a partner account is for. */
export function partnerReasons(): Html {
  return html`<aside class="reasons flow" aria-labelledby="reasons">
    <img src="${assetUrl('drawing-restaurant-table.svg')}" alt="" width="320" height="200" />
    <h2 id="reasons">With an account</h2>
    <ul>
      <li>${icon('search')} Your programs search the directory and answer questions about places.</li>
      <li>
        ${icon('utensils')} They ask venues for tables, and rehearse it at venues that answer by themselves.
      </li>
      <li>${icon('calendar-days')} You follow calls, errors, webhooks and bookings by day.</li>
      <li>${icon('badge-check')} The free plan needs no card. You set what calls beyond it may cost.</li>
    </ul>
  </aside>`;
}

const useLink = defineAction({
  name: 'partner_sign_in',
  path: `${PATH}/:token`,
  who: anybody,
  button: 'Sign in',
  plain: false,
  async run(act) {
    const link = await usePartnerLink(act.db, 'sign_in', act.params['token'] ?? '', act.now);
    if (link === undefined) throw linkNotGood('sign_in');
    const { partner_id: id } = link;
    const proof = await prove(act, link);
    act.identify(id);
    act.audit(id, { ended_key: proof?.endedKey ?? null });
    act.setCookie(await openSession(act, 'partner', id));
    if (proof === undefined) return { to: '/partner' };
    act.invalidateKeyCaches();
    return { view: newKey(proof) };
  },
});

/** Page behind the link in the mail. Opening it changes nothing, because mail programs open links by themselves. */
export const partnerLinkPage = definePage({
  path: `${PATH}/:token`,
  who: anybody,
  load: (req) => findLink(req, 'sign_in'),
  view: (req, link, state) => ({
    title: 'Sign in',
    lead: html`You are signing in for <strong><bdi>${link.name}</bdi></strong
      >.`,
    body: html`${link.ending_key !== null && firstProof(link.ending_key)} ${actionForm(req, useLink, state)}`,
  }),
  actions: [useLink],
});

interface FirstProof {
  endedKey: string;
  apiKey: string;
}

/** Records that the link verified the email address. If that revokes the sign-up key, a new key replaces it. */
async function prove(
  { db, deps, newId, now }: ActionContext<Anybody>,
  { partner_id: id, name, email }: PartnerLink,
): Promise<FirstProof | undefined> {
  const { config } = deps;
  const endedKey = await provePartnerMailbox(db, id, now);
  if (endedKey === undefined) return undefined;
  await mailEndedKey({ db, config, newId, now, partner: { id, name, email } }, endedKey, 'link');
  return { endedKey, apiKey: await issueKey(db, config.prefix, { partnerId: id }, now) };
}

/** Warns that signing in revokes the key issued at sign-up. */
function firstProof(endingKey: string): Html {
  return html`<div class="prose flow">
    <p>
      Signing in verifies this mailbox for the first time. Because anybody could have signed up with your
      address:
    </p>
    <ul>
      <li>
        The key <code>${endingKey}…</code>, which was issued at sign-up, stops working at once. A webhook that
        was set with it is removed too.
      </li>
      <li>A new key is shown once, on the next page. Be ready to store it in a safe place.</li>
      <li>Plan and usage stay as they are, and table requests can be switched on for you.</li>
    </ul>
  </div>`;
}

function newKey({ endedKey, apiKey }: FirstProof): View {
  return {
    title: 'Your new partner key',
    lead: html`The mailbox is verified. The earlier key <code>${endedKey}…</code> no longer works.`,
    body: html`<div class="prose flow">
      ${codeBlock('Partner key', apiKey)}
      <p>
        <strong>Copy it now.</strong> We store only a hash of it and cannot show it again. Send it as
        <code>X-Partner-Key</code> with every call. It stays valid, however often you sign in.
      </p>
      <p><a href="/partner">Your usage and limits</a></p>
    </div>`,
  };
}

const LINK_HINTS = {
  sign_in: 'Ask for a new one at /partner/sign-in.',
  replace_key:
    'If the new key has been used, the old one no longer works. Otherwise sign up again with the same address.',
};

function linkNotGood(kind: keyof typeof LINK_HINTS): AppError {
  const message = 'This link was already used, has expired, or was not copied completely.';
  return new AppError('link_expired', message, { hint: LINK_HINTS[kind] });
}

/** Finds the link in the address of a page. */
async function findLink(
  { deps, params, now }: PageRequest,
  kind: keyof typeof LINK_HINTS,
): Promise<PartnerLink> {
  const link = await findPartnerLink(deps.pool, kind, params['token'] ?? '', now);
  if (link === undefined) throw linkNotGood(kind);
  return link;
}

const KEY_PATH = '/partner/key/:token';

const stopOldKey = defineAction({
  name: 'take_over_partner_key',
  path: KEY_PATH,
  who: anybody,
  button: 'Stop the old key now',
  danger: true,
  async run(act) {
    const { db, now, params } = act;
    const link = await usePartnerLink(db, 'replace_key', params['token'] ?? '', now);
    const takeover =
      link?.key_hash == null
        ? undefined
        : await activatePendingKey(db, { config: act.deps.config, newId: act.newId, now }, link.key_hash);
    if (takeover === undefined) throw linkNotGood('replace_key');
    if (!takeover.changed) act.unchanged();
    act.invalidateKeyCaches();
    act.identify(takeover.partnerId);
    act.audit(takeover.partnerId);
    return { view: DONE };
  },
});

/** Page behind the link in the mail. Opening it changes nothing, because mail programs open links by themselves. */
export const partnerKeyPage = definePage({
  path: KEY_PATH,
  who: anybody,
  load: (req) => findLink(req, 'replace_key'),
  view: (req, link, state) => ({
    title: 'Stop the old key',
    lead: html`This is about the partner key of <strong><bdi>${link.name}</bdi></strong
      >.`,
    body: html`<div class="prose flow">
      <ul>
        <li>The old key stops working at once, wherever it is in use.</li>
        <li>The key in the same mail replaces it. Plan, usage and bookings stay as they are.</li>
      </ul>
      ${actionForm(req, stopOldKey, state)}
      <p class="soft">If you did not ask for a new key, close the page: nothing has been changed.</p>
    </div>`,
  }),
  actions: [stopOldKey],
});

const DONE: View = {
  title: 'The old key no longer works',
  lead: 'The key in the mail is now the only key of your account.',
  body: html`<p class="prose">
    Put it into your product now: send it as <code>X-Partner-Key</code> with every call. Your usage and limits
    are <a href="/partner">here</a>.
  </p>`,
};
