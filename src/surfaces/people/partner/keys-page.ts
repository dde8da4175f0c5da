import { replacePartnerKey } from '../../../accounts/partners/partner-key-change.ts';
import { mailPartner } from '../../../accounts/partners/partner-mail.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { keyFacts } from '../console/record-parts.ts';
import { codeBlock } from '../docs/code-block.ts';
import { actionForm } from '../form/action-form.ts';
import { card } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { conflict, defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import { partner } from '../person/people.ts';

const PATH = '/partner/keys';

const newKey = defineAction({
  name: 'partner_new_key',
  path: PATH,
  who: partner,
  async run(act) {
    const { db, deps, now, newId, person } = act;
    if (person.status !== 'active') conflict('The account is suspended: no key can be created.');
    const hadKey = person.key_prefix !== null;
    const apiKey = await replacePartnerKey(db, deps.config.prefix, person.id, now);
    if (hadKey) {
      const mail = { db, config: deps.config, newId, now, partner: person };
      await mailPartner(mail, {
        subject: `Your ${deps.config.serviceName} partner key was replaced`,
        purpose: 'partner_key_replaced',
        paragraphs: [
          `Somebody who is signed in to your partner account has replaced the key ${person.key_prefix ?? ''}…. It no longer works; the new key was shown to that person only.`,
          `If it was not you, sign in and replace the key again: ${deps.config.baseUrl}/partner`,
        ],
      });
    }
    act.invalidateKeyCaches();
    act.audit(person.id, { replaced: hadKey });
    return {
      view: {
        title: 'Your new partner key',
        lead: hadKey ? 'The earlier key no longer works.' : 'Your first key works at once.',
        body: html`<div class="prose flow">
          ${codeBlock('Partner key', apiKey)}
          <p><strong>Copy it now.</strong> We store only a hash of it and cannot show it again.</p>
          ${quickStart(deps, apiKey)}
          <p><a href="${PATH}">Back to your keys</a></p>
        </div>`,
      },
    };
  },
});

/** The partner's key, and commands to try it. The key itself is shown only when it is created. */
export const keysPage = definePage({
  path: PATH,
  who: partner,
  nav: { label: 'Keys' },
  load: () => undefined,
  view: (req, _data, state) => {
    const { person, deps } = req;
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
      ${card('Quick start', quickStart(deps, hasKey ? `${person.key_prefix ?? ''}…` : 'YOUR_KEY'))}`,
    };
  },
  actions: [newKey],
});

/** Commands that work as they are: with a new key they contain it. */
function quickStart(
  { config: { partnerUrl }, destinations }: Pick<Deps, 'config' | 'destinations'>,
  key: string,
): Html {
  const destination = destinations.current.destinations.find(({ places }) => places > 0)?.slug ?? 'bali';
  const call = (name: string, args: object) =>
    `curl -s ${partnerUrl}/api/partner/mcp \\\n  -H 'X-Partner-Key: ${key}' \\\n  -H 'Content-Type: application/json' -H 'Accept: application/json' \\\n  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })}'`;
  return html`${codeBlock('Search places', call('search_places', { destination, query: 'restaurant', limit: 3 }))}
    ${codeBlock('Read your usage', `curl -s ${partnerUrl}/api/partner/usage -H 'X-Partner-Key: ${key}'`)}
    <p class="soft">All tools and fields are in the <a href="/docs">API reference</a>.</p>`;
}
