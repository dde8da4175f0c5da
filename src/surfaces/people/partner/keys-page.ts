import { replacePartnerKey, revokePartnerKeys } from '../../../accounts/partners/partner-key-change.ts';
import { mailPartner } from '../../../accounts/partners/partner-mail.ts';
import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import type { Deps } from '../../../core/context.ts';
import { listRehearsalVenues } from '../../../bookings/rehearsal/rehearsal-venue.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { DAY_MS } from '../../../core/time.ts';
import { keyFacts } from '../console/record-parts.ts';
import { codeBlock } from '../docs/code-block.ts';
import { actionForm } from '../form/action-form.ts';
import { card } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { recordTable } from '../frame/table.ts';
import { conflict, defineAction, type ActionContext } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import { partner } from '../person/people.ts';

const PATH = '/partner/keys';

const newKey = defineAction({
  name: 'partner_new_key',
  path: PATH,
  who: partner,
  async run(act) {
    const { db, deps, now, person } = act;
    if (person.status !== 'active') conflict('The account is suspended: no key can be created.');
    const hadKey = person.key_prefix !== null;
    const apiKey = await replacePartnerKey(db, deps.config.prefix, person.id, now);
    if (hadKey)
      await mailKeyChange(act, 'replaced', 'It no longer works; the new key was shown to that person only.');
    act.invalidateKeyCaches();
    act.audit(person.id, { replaced: hadKey });
    return {
      view: {
        title: 'Your new partner key',
        lead: hadKey ? 'The earlier key no longer works.' : 'Your first key works at once.',
        body: html`<div class="prose flow">
          ${codeBlock('Partner key', apiKey)}
          <p><strong>Copy it now.</strong> We store only a hash of it and cannot show it again.</p>
          ${quickStart(deps, apiKey, now)}
          <p><a href="${PATH}">Back to your keys</a></p>
        </div>`,
      },
    };
  },
});

const revokeKey = defineAction({
  name: 'partner_revoke_key',
  path: `${PATH}/revocation`,
  who: partner,
  title: 'Revoke the key',
  button: 'Revoke the key',
  danger: true,
  confirm: 'It stops working at once, and the account has no key until you create one. Nothing else changes.',
  done: {
    revoked: 'The key is revoked. Create a key when you need one.',
    none: 'There was no key to revoke.',
  },
  async run(act) {
    if (!(await revokePartnerKeys(act.db, act.person.id, act.now))) {
      act.unchanged();
      return { done: 'none' };
    }
    await mailKeyChange(act, 'revoked', 'It no longer works, and the account has no key.');
    act.invalidateKeyCaches();
    act.audit(act.person.id);
    return { done: 'revoked' };
  },
});

/** Mails the partner that its key ended, because somebody else may have done it. */
function mailKeyChange(
  { db, deps: { config }, newId, now, person }: ActionContext<ListedPartner>,
  change: 'replaced' | 'revoked',
  effect: string,
): Promise<void> {
  return mailPartner(
    { db, config, newId, now, partner: person },
    {
      subject: `Your ${config.serviceName} partner key was ${change}`,
      purpose: `partner_key_${change}`,
      paragraphs: [
        `Somebody who is signed in to your partner account has ${change} the key ${person.key_prefix ?? ''}…. ${effect}`,
        `If it was not you, sign in and replace the key: ${config.baseUrl}/partner/keys`,
      ],
    },
  );
}

/** The partner's key, and commands to try it. The key itself is shown only when it is created. */
export const keysPage = definePage({
  path: PATH,
  who: partner,
  nav: { label: 'Keys' },
  load: () => undefined,
  view: (req, _data, state) => {
    const { person, deps, now } = req;
    const hasKey = person.key_prefix !== null;
    return {
      title: 'Keys',
      lead: 'Your programs send the key with every call. There is one key for the account.',
      body: html`${card('Your key', definitionList('record', keyFacts(person)))}
      ${actionForm(req, newKey, state, {
        title: hasKey ? 'Replace the key' : 'Create a key',
        help: hasKey
          ? 'The old key stops working at once, wherever it is in use. The new one is shown once, on the next page.'
          : 'It is shown once, on the next page. Be ready to store it in a safe place.',
        button: hasKey ? 'Replace the key' : 'Create a key',
        danger: hasKey,
      })}
      ${card('Quick start', quickStart(deps, '$PARTNER_KEY', now))}
      ${hasKey && actionForm(req, revokeKey, state)}`,
    };
  },
  actions: [newKey, revokeKey],
});

/** Commands that work as they are: with a new key they contain it, otherwise they read it from the environment. */
function quickStart(
  { config: { partnerUrl }, destinations }: Pick<Deps, 'config' | 'destinations'>,
  key: string,
  now: Date,
): Html {
  const destination = destinations.current.destinations.find(({ places }) => places > 0)?.slug ?? 'bali';
  const call = (surface: 'partner' | 'concierge', name: string, args: object) =>
    `curl -s ${partnerUrl}/api/${surface}/mcp \\\n  -H "X-Partner-Key: ${key}" \\\n  -H 'Content-Type: application/json' -H 'Accept: application/json' \\\n  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })}'`;
  const date = new Date(now.getTime() + 7 * DAY_MS).toISOString().slice(0, 10);
  const table = { date, time: '19:30', party_size: 2, guest_name: 'Guest Example' };
  const isNew = key !== '$PARTNER_KEY';
  return html`${!isNew && codeBlock('Set your key once in this terminal', "export PARTNER_KEY='your key'")}
    ${codeBlock('Search places', call('partner', 'search_places', { destination, query: 'restaurant', limit: 3 }))}
    ${codeBlock('Read your usage', `curl -s ${partnerUrl}/api/partner/usage -H "X-Partner-Key: ${key}"`)}
    <h3 id="rehearse">Rehearse a booking</h3>
    <p>
      Rehearsal venues answer by themselves, also before table requests are switched on. Replace the
      <code>place_id</code> to try each answer, and watch the booking under
      <a href="/partner/bookings">Bookings</a>.
    </p>
    ${codeBlock('Request a table', call('concierge', 'request_table', { place_id: 'plc_rehearsal_yes', ...table }))}
    ${recordTable('dense stack', listRehearsalVenues(), [
      ['Rehearsal venue', ({ id }) => html`<code>${id}</code>`],
      ['What it does', ({ about }) => about],
    ])}
    <p class="soft">All tools and fields are in the <a href="/docs">API reference</a>.</p>`;
}
