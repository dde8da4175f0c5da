import { activatePendingKey } from '../../../accounts/partners/partner-key-change.ts';
import { findPartnerLink, usePartnerLink } from '../../../accounts/partners/partner-link.ts';
import { AppError } from '../../../core/errors.ts';
import { html } from '../../../core/text/html.ts';
import { actionForm } from '../form/action-form.ts';
import { defineAction } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { View } from '../person/page-request.ts';

const PATH = '/partner/key/:token';

const stopOldKey = defineAction({
  name: 'take_over_partner_key',
  path: PATH,
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
    if (takeover === undefined) throw linkNotGood();
    if (!takeover.changed) act.unchanged();
    act.invalidateKeyCaches();
    act.identify(takeover.partnerId);
    act.audit(takeover.partnerId);
    return { view: DONE };
  },
});

/** Page behind the link in the mail. Opening it changes nothing, because mail programs open links by themselves. */
export const partnerKeyPage = definePage({
  path: PATH,
  who: anybody,
  async load({ deps, params, now }) {
    const link = await findPartnerLink(deps.pool, 'replace_key', params['token'] ?? '', now);
    if (link === undefined) throw linkNotGood();
    return link;
  },
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

function linkNotGood(): AppError {
  return new AppError(
    'link_expired',
    'This link was already used, has expired, or was not copied completely.',
    {
      hint: 'If the new key has been used, the old one no longer works. Otherwise sign up again with the same address.',
    },
  );
}
