import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { test } from 'node:test';
import { callsOf, files, imports, ROOT, specifiersOf } from './source.ts';

/** The few that open a transaction, and why none of the runners can do it for them. */
const OPENERS: Readonly<Record<string, string>> = {
  'src/core/postgres/db.ts': 'the one way that all others go',
  'src/core/postgres/migrate.ts': 'there is no service yet',
  'src/protocol/run/run-operation.ts': 'the runner of operations',
  'src/surfaces/people/person/person-route.ts': "the runner of people's actions",
  'src/jobs/run-jobs.ts': 'the runner of jobs',
  'src/import/import-places.ts': 'import',
  'src/import/enrich-places.ts': 'import',
  'src/demo/demo-directory.ts': 'the demonstration',
  'src/search/follow-changes.ts': 'reads one state of many tables for the index',
  'src/search/build/read-places.ts': 'reads one state of many tables for the index',
  'src/ledger/verify-ledger.ts': 'a command that reads one state of the books',
};

/** The few that reach the world outside, all others ask them. */
const CALLERS: Readonly<Record<string, string>> = {
  'src/core/egress/egress.ts': 'guards what is called',
  'src/core/egress/egress-target.ts': 'asks name servers',
  'src/messages/mail-sender.ts': 'SMTP',
  'src/photos/storage/s3-storage.ts': 'the store of photos',
  'src/wallet/stripe-payments.ts': 'Stripe',
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
    ['src/protocol/run/run-operation.ts', 'src/surfaces/people/person/person-route.ts'],
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

test('few reach the world outside', () => {
  const OUTSIDE =
    /^(node:(net|http|https|http2|tls|dgram|dns|dns\/promises)|nodemailer|stripe|aws4fetch|undici)$/;
  const callers = files.filter(
    (file) =>
      callsOf(file).includes('fetch') ||
      specifiersOf(file).some(({ to, typeOnly }) => !typeOnly && OUTSIDE.test(to)),
  );
  assert.deepEqual(
    callers.filter((file) => !Object.hasOwn(CALLERS, file)),
    [],
  );
});

test('what an operation or a page runs on has no way to the world outside', () => {
  const EGRESS = 'src/core/egress/egress.ts';
  const rooms = new Set(
    imports.filter(({ to, typeOnly }) => to === EGRESS && !typeOnly).map(({ from }) => dirname(from)),
  );
  assert.deepEqual([...rooms].sort(), []);
});

test('a folder has at most fourteen files, and a file at most three hundred lines', () => {
  const all = globSync('{src,test}/**/*.*', { cwd: ROOT });
  const folders = Map.groupBy(all, (file) => dirname(file));
  assert.deepEqual(
    [...folders].filter(([, held]) => held.length > 14).map(([folder, held]) => `${folder}: ${held.length}`),
    [],
  );
  const lengths = files.map((file) => readFileSync(ROOT + file, 'utf8').split('\n').length - 1);
  assert.deepEqual(
    files.filter((_file, i) => (lengths[i] ?? 0) > 300),
    [],
  );
  const median = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0;
  assert.ok(median <= 80, `the middle file has ${median} lines`);
});
