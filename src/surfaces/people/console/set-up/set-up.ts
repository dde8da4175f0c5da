import { join } from 'node:path';
import { CHANNELS } from '../../../../bookings/channels/channels.ts';
import type { Deps } from '../../../../core/context.ts';
import { commandFor, type PrintedCommand } from '../../../../core/installation.ts';
import { withPlaces } from '../../../../directory/destinations.ts';
import type { ProviderTestKind } from '../../../../messages/provider-test.ts';
import { TEXT_CHANNEL, type MessageChannel } from '../../../../messages/message-channels.ts';
import { paymentsOf } from '../../../../wallet/payments.ts';
import { formatCount } from '../../../../core/text/format-count.ts';

/** Arguments after `npx waypost` that import map data. */
export const IMPORT_COMMAND = 'import osm extract.osm.pbf --auto-destinations';

/** One item that an installation needs before it goes public. */
export interface SetUpItem {
  name: string;
  state: 'ready' | 'test' | 'missing';
  /** Current state in words. */
  now: string;
  /** Next step, where one is needed. */
  todo?: string;
  /** Channel that a test message tries. */
  tries?: MessageChannel;
  /** Check that a lead can run. */
  check?: 'address' | 'storage';
  /** Test that a lead can run, whose outcome the provider reports. */
  test?: ProviderTestKind;
  /** True for the item with the forms that import a map. */
  imports?: true;
  /** Lines of the file .env that the next step needs. */
  env?: readonly string[];
  /** Command for the next step, run in the folder of the service. */
  type?: PrintedCommand;
}

export const SET_UP_PATH = '/console/set-up';

type SetUpDeps = Pick<Deps, 'config' | 'destinations'>;

/**
 * Lists each item with its state and the next step. Settings are named without their values; only a command identifies
 * the installation.
 */
export function listSetUpItems(deps: SetUpDeps): SetUpItem[] {
  return [
    dataLine(deps),
    addressLine(deps),
    mailLine(deps),
    ...channelLines(deps),
    paymentLine(deps),
    storageLine(deps),
  ];
}

/** Items that still need something before the installation goes public. */
export function unfinishedItems(deps: SetUpDeps): SetUpItem[] {
  return listSetUpItems(deps).filter(({ state }) => state !== 'ready');
}

function dataLine({ config, destinations }: SetUpDeps): SetUpItem {
  const { destinations: all, demo } = destinations.current;
  const places = all.reduce((sum, one) => sum + one.places, 0);
  const name = 'Places';
  if (places === 0)
    return {
      name,
      state: 'missing',
      now: 'No places yet: searches find nothing.',
      todo: 'Import a map extract here, or with the command line, which also takes folders and follows updates.',
      imports: true,
      type: commandFor(config, IMPORT_COMMAND),
    };
  const summary = `${formatCount(places, 'place')} in ${formatCount(withPlaces(all).length, 'destination')}.`;
  if (demo)
    return {
      name,
      state: 'test',
      now: `${summary} The demonstration is loaded: its venues are fictional.`,
      todo: 'Before you open the service to the public, start it without the demonstration on a new data directory and import your own map data. If you import here, real places replace the demonstration destination by destination.',
      env: ['DEMO=off'],
      imports: true,
      type: commandFor(config, IMPORT_COMMAND),
    };
  return { name, state: 'ready', now: `${summary} The demonstration is not loaded.`, imports: true };
}

/** Links in mails and texts begin with the public address, so it must be one that other people can open. */
function addressLine({ config: { baseUrl } }: SetUpDeps): SetUpItem {
  const { protocol, hostname } = new URL(baseUrl);
  const now = `Links in mails and texts begin with ${baseUrl}.`;
  if (protocol === 'https:') return { name: 'Address', state: 'ready', now, check: 'address' };
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return {
    name: 'Address',
    state: 'test',
    check: 'address',
    now: `${now} ${isLocal ? 'Only this machine can open them.' : 'Without https, others on the way can read and change what is sent.'}`,
    todo: 'Put a proxy with a TLS certificate in front of the service and give the service its https address.',
    env: ['BASE_URL=https://places.example.com'],
  };
}

function mailLine({ config: { smtp } }: SetUpDeps): SetUpItem {
  if (smtp !== undefined)
    return { name: 'Mail', state: 'ready', now: 'A mail server is set.', tries: 'mail' };
  return {
    name: 'Mail',
    state: 'missing',
    now: 'No mail is sent. Codes, links and requests to venues wait in the outbox until a lead passes them on.',
    todo: 'Give the service the address, user and password of your mail server, and the address that mails come from.',
    env: ['SMTP_URL=smtps://user:password@mail.example.com:465', 'MAIL_FROM=hello@example.com'],
  };
}

const NAMES = new Intl.ListFormat('en-GB');

/** Lists the providers that channels to venues need, each once. */
function channelLines({ config }: SetUpDeps): SetUpItem[] {
  const providers = new Map(
    CHANNELS.flatMap(({ provider }) => (provider ? [[provider.name, provider]] : [])),
  );
  return [...providers.values()].map((provider) => {
    const { name, settings, ready, missing } = provider;
    if (provider.isSet(config))
      return { name, state: 'ready', now: ready, tries: TEXT_CHANNEL, test: 'call' };
    const todo =
      'Open an account with the provider and give the service its account, its token and your number there.';
    return { name, state: 'missing', now: missing, todo, env: settings.map((setting) => `${setting}=`) };
  });
}

/** Events that the endpoint at Stripe must send. The last one is only for the test on the set-up page. */
const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'charge.refunded',
  'checkout.session.expired',
];

function paymentLine(deps: SetUpDeps): SetUpItem {
  const name = 'Payments';
  const endpoint = `${deps.config.baseUrl}/webhooks/stripe`;
  const todo = `In the dashboard of Stripe, add an endpoint for events with the address ${endpoint} and the events ${NAMES.format(STRIPE_EVENTS)}. Give the service the secret key of your account and the secret of the endpoint.`;
  const env = ['STRIPE_SECRET_KEY=sk_live_…', 'STRIPE_WEBHOOK_SECRET=whsec_…'];
  switch (paymentsOf(deps)) {
    case 'provider':
      return {
        name,
        state: 'ready',
        test: 'payment',
        now: `A payment provider is set. It sends its events to ${endpoint}: ${NAMES.format(STRIPE_EVENTS)}.`,
      };
    case 'test':
      return {
        name,
        state: 'test',
        now: 'Test payments: plans and test credit cost nothing, no money moves.',
        todo,
        env,
      };
    case 'none':
      return {
        name,
        state: 'missing',
        now: 'Nothing that costs money can be bought.',
        todo: `${todo} Or try it without money first, with test payments.`,
        env: [...env, 'TEST_PAYMENTS=on'],
      };
  }
}

/** The storage is always ready: each node tests it at startup and compares it with that of the other nodes. */
function storageLine({ config: { photoS3, photoDir, dataDir, databaseUrl } }: SetUpDeps): SetUpItem {
  const line = { name: 'Photo storage', state: 'ready', check: 'storage' } as const;
  const checked = 'A node that does not see the same photos does not start.';
  if (photoS3 !== undefined) return { ...line, now: `Photos are stored in an S3 bucket. ${checked}` };
  if (photoDir !== join(dataDir, 'photos'))
    return { ...line, now: `Photos are stored in the folder set by PHOTO_DIR. ${checked}` };
  const now = 'Photos are stored in the data directory of this machine';
  if (databaseUrl === undefined) return { ...line, now: `${now}, beside the database.` };
  const todo =
    'Nothing for one node. Before you add a second one, name a folder that all nodes see, or a bucket, and move the photos there.';
  const env = ['PHOTO_DIR=/mnt/photos'];
  return { ...line, now: `${now}. ${checked}`, todo, env };
}
