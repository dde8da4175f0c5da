import { z } from 'zod';
import type { PrintedCommand } from '../../../../core/installation.ts';
import { HOUR_MS } from '../../../../core/time.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { listMessages, type ListedMessage } from '../../../../messages/list-messages.ts';
import {
  MESSAGE_CHANNELS,
  MESSAGE_CHANNEL_NAMES,
  type MessageChannel,
} from '../../../../messages/message-channels.ts';
import { findLastImport, MAP_IMPORTS, type MapImport } from '../../../../import/map-imports.ts';
import { listProviderTests, PROVIDER_TESTS, type ProviderTest } from '../../../../messages/provider-test.ts';
import { postMessage } from '../../../../messages/post-message.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, textInput } from '../../form/fields.ts';
import { badge, card, type StateBadges } from '../../frame/components.ts';
import { defineAction, refuse } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { allStaff, leads, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { addPerson } from '../staff-page.ts';
import { CHECKS } from './checks.ts';
import { importFromAddress, importUploaded, mapImportCard, stopImport } from './map-import-card.ts';
import { lastTests, providerTestForm, testCall, testPayments } from './provider-tests.ts';
import { listSetUpItems, SET_UP_PATH, type SetUpItem } from './set-up.ts';

const PURPOSE = 'set_up_test';
const TESTS_PER_HOUR = 20;

const LABELS: Readonly<Record<MessageChannel, readonly [label: string, button: string]>> = {
  mail: ['Email address', 'Send a test mail'],
  sms: ['Number with its country code, such as +62361123456', 'Send a test text'],
};

/** Sends a message on a channel, so that the operator sees whether it arrives. */
const sendTest = defineAction({
  name: 'send_test_message',
  path: SET_UP_PATH,
  who: leads,
  fields: {
    channel: hiddenInput(z.enum(MESSAGE_CHANNEL_NAMES)),
    to: textInput(z.string().trim().min(1).max(320), { label: 'To', maxlength: 320, required: true }),
  },
  rateLimits: [
    {
      name: 'set-up-tests',
      windowMs: HOUR_MS,
      max: () => TESTS_PER_HOUR,
      message: 'Too many test messages within an hour.',
    },
  ],
  done: 'The test message is on its way. Its state is shown below.',
  async run(act, { channel, to }) {
    const { isAddress, addressFault } = MESSAGE_CHANNELS[channel];
    if (!isAddress(to)) refuse({ faults: { to: addressFault } });
    const { serviceName, baseUrl } = act.deps.config;
    await postMessage(act.db, act, {
      channel,
      to,
      subject: `Test message of ${serviceName}`,
      text: `This is a test message of ${serviceName}, sent from its set-up page. If you can read it, messages arrive. The service is at ${baseUrl}`,
      purpose: PURPOSE,
      subject_id: act.person.id,
    });
    act.audit(null, { channel });
  },
});

/** Lists what this installation has set up and what is missing, and tries what is set. */
export const setUpPage = definePage({
  path: SET_UP_PATH,
  who: allStaff,
  nav: { label: 'Set-up', key: 'e' },
  follows: () => [MAP_IMPORTS, 'outbox', PROVIDER_TESTS],
  async load({ deps }) {
    const [tests, lastImport, providerTests] = await Promise.all([
      listMessages(deps, { purpose: PURPOSE, limit: 50 }),
      findLastImport(deps.pool),
      listProviderTests(deps.pool),
    ]);
    return { items: listSetUpItems(deps), tests, lastImport, providerTests };
  },
  view: (req, { items, tests, lastImport, providerTests }, state) => ({
    title: 'Set-up',
    lead: `${items.filter((item) => item.state === 'ready').length} of ${items.length} are set up. Each says what is missing and how to add it.`,
    body: html`<ul class="letters">
        ${items.map((item) => itemCard(req, item, { tests, lastImport, providerTests }, state))}
      </ul>
      ${
        leads.allows(req.person) &&
        card(
          'People',
          html`<p>Reviewers decide about submissions, the desk talks to venues, leads do both.</p>
            ${actionForm(req, addPerson, {}, { className: 'flow', button: 'Invite' })}
            <p><a href="/console/staff">Everybody with access</a></p>`,
        )
      }`,
  }),
  actions: [
    sendTest,
    testPayments,
    testCall,
    importFromAddress,
    importUploaded,
    stopImport,
    CHECKS.address,
    CHECKS.storage,
  ],
});

interface Shown {
  /** Test messages. */
  tests: readonly ListedMessage[];
  lastImport: MapImport | undefined;
  providerTests: readonly ProviderTest[];
}

const BADGES: StateBadges<SetUpItem['state']> = {
  ready: ['good', 'Set up'],
  test: ['warn', 'For trying out'],
  missing: ['bad', 'Not set up'],
};

function itemCard(
  req: PageRequest<Staff>,
  { name, state, now, todo, env, tries, check, test, imports, type }: SetUpItem,
  { tests, lastImport, providerTests }: Shown,
  page: PageState,
): Html {
  const [kind, word] = BADGES[state];
  return html`<li class="card flow">
    <h2>${name} ${badge(kind, word)}</h2>
    <p>${now}</p>
    ${todo !== undefined && html`<p><strong>What to do:</strong> ${todo}</p>`}
    ${env !== undefined && envLines(env)}
    ${imports === true && mapImportCard(req, { last: lastImport, isFirst: state === 'missing' }, page)}
    ${type !== undefined && commandBlock(type)} ${tries !== undefined && testForm(req, tries, tests, page)}
    ${test !== undefined && providerTestForm(req, test, providerTests, page)}
    ${check !== undefined && actionForm(req, CHECKS[check], page)}
  </li>`;
}

/** Form for a test message, with the outcome of the last ones. */
function testForm(
  req: PageRequest<Staff>,
  channel: MessageChannel,
  tests: readonly ListedMessage[],
  page: PageState,
): Html {
  const [label, button] = LABELS[channel];
  const own = page.form?.get('channel') === channel ? page : {};
  return html`${actionForm(req, sendTest, own, {
    className: 'flow',
    idPrefix: `test-${channel}`,
    values: { channel },
    fields: { to: { label } },
    button,
  })}
  ${lastTests(
    tests.filter((test) => test.channel === channel),
    testState,
  )}`;
}

function testState({ channel, to, state, last_error, created_at }: ListedMessage): Html {
  const [kind, words] =
    state === 'sent'
      ? (['good', 'Accepted by the server'] as const)
      : state === 'failed' || state === 'unsure'
        ? (['bad', 'Failed'] as const)
        : (['warn', last_error === null ? 'On its way' : 'Tried again'] as const);
  return html`${badge(kind, words)} to <bdi>${MESSAGE_CHANNELS[channel].mask(to)}</bdi>,
    ${formatTime(new Date(created_at))}
    ${last_error !== null && html`<br /><span class="soft">${last_error}</span>`}`;
}

/** The settings of the next step, for the person who looks after the machine. */
function envLines(lines: readonly string[]): Html {
  return html`<details>
    <summary>The settings</summary>
    <p>In the file <code>.env</code> in the folder of the service; then start the service again:</p>
    <pre class="letter"><code>${lines.join('\n')}</code></pre>
  </details>`;
}

function commandBlock({ command, note }: PrintedCommand): Html {
  return html`<details>
    <summary>With the command line</summary>
    <p>In the folder of the service:</p>
    <pre class="letter"><code>${command}</code></pre>
    ${note !== undefined && html`<p>${note}</p>`}
  </details>`;
}
