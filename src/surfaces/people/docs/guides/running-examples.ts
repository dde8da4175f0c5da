import { html } from '../../../../core/text/html.ts';
import { DAY_MS } from '../../../../core/time.ts';
import type { DocsModel, Guide } from '../docs-model.ts';
import { codeBlock } from '../code-block.ts';
import { BEARER, curl, PARTNER_KEY, type Curl } from '../topics/examples.ts';
import { SHELL_VARIABLES } from '../topics/shell-variables.ts';

/** Days until the example date: far enough ahead for a table, and within the bookable days. */
const DATE_IN_DAYS = 7;
const PHOTO_PRICE_MAX = 2000;

/** Guide to running the commands of the reference. Each block is a script that runs unchanged. */
export function runningExamples(model: DocsModel): Guide {
  return {
    page: '',
    id: 'running-examples',
    title: 'Running the examples',
    words: html`<p>
        Every command of the reference runs as it stands. What only you can know, it takes from the shell. The
        scripts beside this get it, as far as a program can:
      </p>
      <ul>
        ${Object.entries(SHELL_VARIABLES).map(
          ([name, source]) => html`<li><code>${name}</code>: ${source}</li>`,
        )}
      </ul>
      <p>
        Two things need a person. The page at the <code>checkout_url</code> of the second script fills the
        wallet. Tables can be asked for once you have signed in at <a href="/partner">/partner</a>, which
        proves your mailbox and shows your key, and once somebody of ours has switched that on for you.
      </p>`,
    examples: [
      codeBlock('1. An agent’s key, and what it finds', agentScript(model)),
      codeBlock(
        '2. A licence: open the checkout_url, pay, then paste the second command',
        licenceScript(model),
      ),
      codeBlock('3. A table: set your key and your address first', tableScript(model)),
      codeBlock(
        '4. When the venue has offered another table',
        captureInto('OFFER_ID', bookingStatus(model), 'off_'),
      ),
    ],
  };
}

function agentScript({ site: { baseUrl }, prefix, now }: DocsModel): string {
  const date = new Date(now.getTime() + DATE_IN_DAYS * DAY_MS).toISOString().slice(0, 10);
  const signUp = {
    url: `${baseUrl}/api/agent/signup`,
    body: {
      agent_name: 'Trip Planner',
      operator_name: 'Example Travel Ltd',
      operator_email: '$EMAIL',
      purpose: 'Plans trips for our customers.',
    },
  };
  const search = { url: `${baseUrl}/api/agent/search?q=restaurant&city=bali&limit=50`, headers: [BEARER] };
  const photos = {
    url: `${baseUrl}/api/agent/photos/search?use=web&max_price_cents=1000`,
    headers: [BEARER],
  };
  const business = {
    url: `${baseUrl}/api/agent/business`,
    headers: [BEARER],
    body: { relationship: 'third_party', name: 'Rumah Senja', country: 'ID', city: 'Bali' },
  };
  return [
    "EMAIL='you@example.com'",
    captureInto('KEY', signUp, `${prefix}_live_`),
    'export KEY',
    `DATE='${date}'`,
    // No object begins between a place_id and its booking, so this matches only places that take requests.
    captureInto('PLACE_ID', search, 'plc_', `grep -o '"place_id":"[^{]*{"method":"request"'`),
    captureInto('PHOTO_ID', photos, 'pho_'),
    captureInto('SUBMISSION_ID', business, 'sub_'),
  ].join('\n');
}

function licenceScript({ site: { baseUrl } }: DocsModel): string {
  const topUp = { url: `${baseUrl}/api/agent/photos/topup`, headers: [BEARER], body: { amount_cents: 5000 } };
  const license = {
    url: `${baseUrl}/api/agent/photos/license`,
    headers: [BEARER],
    body: { photo_id: '$PHOTO_ID', use: 'web', max_price_cents: PHOTO_PRICE_MAX },
  };
  return [curl(topUp), captureInto('LICENSE_ID', license, 'lic_')].join('\n\n');
}

function tableScript(model: DocsModel): string {
  const request = concierge(model, 'request_table', {
    place_id: '$PLACE_ID',
    date: '$DATE',
    time: '18:30',
    party_size: 2,
    guest_name: 'Ann Example',
  });
  return [
    `PARTNER_KEY='${model.prefix}_partner_…'`,
    "WEBHOOK_URL='https://…'",
    captureInto('BOOKING_ID', request, 'bkg_'),
  ].join('\n');
}

function bookingStatus(model: DocsModel): Curl {
  return concierge(model, 'booking_status', { booking_id: '$BOOKING_ID' });
}

function concierge({ site }: DocsModel, name: string, args: Record<string, unknown>): Curl {
  return {
    url: `${site.partnerUrl}/api/concierge/mcp`,
    headers: [PARTNER_KEY],
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  };
}

/** Sets a shell variable to the first token in the answer that begins with a prefix. */
function captureInto(variable: string, call: Curl, prefix: string, filter?: string): string {
  const steps = [
    `${curl(call)} -s`,
    ...(filter === undefined ? [] : [filter]),
    `grep -o '${prefix}[0-9A-Za-z]*'`,
    'head -n 1',
  ];
  return `${variable}=$(${steps.join(' | ')})`;
}
