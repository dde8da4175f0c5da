import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from './root.ts';
import { callsOf, files, specifiersOf } from './source.ts';

/** The few that open a transaction, and why none of the runners does it for them. */
const OPENERS: Readonly<Record<string, string>> = {
  'src/core/postgres/db.ts': 'the one way that all others go',
  'src/protocol/run/run-operation.ts': 'the runner of operations',
  'src/surfaces/people/person/perform-action.ts': "the runner of people's actions",
  'src/jobs/run-jobs.ts': 'the runner of jobs',
  'src/app.ts': 'for calls to the world outside after a request',
  'src/import/import-places.ts': 'import',
  'src/import/enrich-places.ts': 'import',
  'src/demo/load-demo.ts': 'the demonstration',
  'src/core/postgres/migrate.ts': 'there is no service yet',
  'src/backup/take-backup.ts': 'reads one state of everything',
  'src/backup/restore-backup.ts': 'all of a backup or nothing',
  'src/main.ts': 'the check of the photo store at a start',
  'src/node/first-start.ts': 'the first account of an empty service',
  'src/commands/run-command.ts': 'what an operator types: a new account, a closure',
  'src/node/node-work.ts': 'for the rounds that look at websites',
  'src/accounts/partners/partner-keys.ts':
    'the first use of a mailed key comes before any operation, reads included',
  'src/oauth/storage/adapter.ts': 'called by the library, which knows nothing of transactions',
  'src/search/follow/follow-changes.ts': 'reads one state of several tables, and notes that it was read',
  'src/search/build/read-places.ts': 'reads one state of several tables',
  'src/ledger/verify-ledger.ts': 'reads one state of the books',
};

/** The few that write an audit row: the runners, what happens before them, and what an operator types. */
const AUDITORS = [
  'src/accounts/partners/partner-keys.ts',
  'src/accounts/review-account.ts',
  'src/bookings/kill-switch/drill-kill-switch.ts',
  'src/commands/privacy/privacy-commands.ts',
  'src/protocol/run/run-operation.ts',
  'src/surfaces/people/person/perform-action.ts',
];

/** The few that reach the world outside, and whom they call. */
const CALLERS: Readonly<Record<string, string>> = {
  'src/core/egress/egress.ts': 'the guarded call that the others make',
  'src/core/egress/egress-target.ts': 'name servers',
  'src/messages/mail-sender.ts': 'the mail server of the operator',
  'src/photos/storage/s3-storage.ts': 'the store of photos',
  'src/wallet/stripe-payments.ts': 'Stripe',
  'src/twilio/twilio.ts': 'the phone provider',
  'src/delivery/attempt.ts': 'receivers of callbacks and webhooks',
  'src/bookings/booking-server/booking-server.ts': "venues' systems",
  'src/directory/website-probe/check-website.ts': "venues' websites",
  'src/import/changes/download.ts': 'maps that the operator names',
  'src/import/changes/replication.ts': 'published changes of maps',
  'src/oauth/client-document.ts': 'documents in which OAuth clients describe themselves',
  'src/answers/wording/reword.ts': 'the model of the operator',
  'src/surfaces/people/console/set-up/checks.ts': 'its own public address',
  'src/commands/cluster/cluster-node.ts': 'the nodes that it has started itself',
  'src/commands/verify-backup.ts': 'the service that it has started itself',
  'src/commands/doctor/outside-checks.ts': 'its own public address, whose certificate it reads',
  'src/commands/doctor/support-bundle.ts': 'the service of this machine',
};

/** The few that see the bare address of a caller. All others have its group, from the first of these. */
const ADDRESS_READERS: Readonly<Record<string, string>> = {
  'src/core/text/address-group.ts': 'makes the group',
  'src/protocol/http/fast-lane.ts': 'has it made before the router would',
  'src/surfaces/people/console/sign-in/sign-in-page.ts': 'shows staff from where they are signed in',
};

test('a transaction is opened by a runner, or by one of a short list', () => {
  const openers = files.filter((file) =>
    callsOf(file).some((call) => call === 'transactionsOf' || /^(pool|sql|db|tx)\.begin$/.test(call)),
  );
  assert.deepEqual(
    openers.filter((file) => !Object.hasOwn(OPENERS, file)),
    [],
  );
  assert.deepEqual(
    Object.keys(OPENERS).filter((file) => !openers.includes(file)),
    [],
    'the list has nothing that is not needed',
  );
});

test('one statement puts a row into the audit log, and only runners call it', () => {
  const inserts = files.flatMap((file) =>
    [...readFileSync(ROOT + file, 'utf8').matchAll(/insert\s+into\s+audit_log/gi)].map(() => file),
  );
  assert.deepEqual(inserts, ['src/core/audit.ts']);
  assert.deepEqual(
    files.filter((file) => callsOf(file).includes('recordAudit')),
    AUDITORS,
  );
});

test('the token of a form is checked in one place', () => {
  const calls = files.flatMap((file) =>
    callsOf(file)
      .filter((call) => call === 'checkCsrf')
      .map(() => file),
  );
  assert.deepEqual(calls, ['src/surfaces/people/person/person-route.ts']);
});

test('guards count groups of addresses: where a caller is, is read in few places', () => {
  const readers = files.filter((file) =>
    /\.ip\b|[{,]\s*ip\s*[,:}]|remoteAddress|as AddressGroup\b/.test(readFileSync(ROOT + file, 'utf8')),
  );
  assert.deepEqual(readers, Object.keys(ADDRESS_READERS));
});

test('few reach the world outside', () => {
  const OUTSIDE = /^(node:(https|http2|tls|dgram|dns|dns\/promises)|nodemailer|stripe|aws4fetch|undici)$/;
  const callers = files.filter(
    (file) =>
      // A channel for contacting venues may call its provider.
      !file.startsWith('src/bookings/channels/') &&
      (callsOf(file).some((call) => call === 'fetch' || call === 'safeRequest') ||
        specifiersOf(file).some(({ to, typeOnly }) => !typeOnly && OUTSIDE.test(to))),
  );
  assert.deepEqual(callers, Object.keys(CALLERS).sort());
});
