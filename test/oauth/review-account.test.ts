import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addReviewAccount,
  endPastReviewAccounts,
  MailboxTakenError,
  NoReviewAccountError,
  revokeReviewAccount,
} from '../../src/accounts/review-account.ts';
import { transactionsOf } from '../../src/core/postgres/db.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { addSampleSubmission } from '../../src/submissions/sample-submission.ts';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import { callEndpoint, callWith, ENDPOINTS, OauthClient } from '../harness/clients/oauth-client.ts';
import { lastMessage } from '../harness/people/submissions.ts';
import { signUpAgent } from '../harness/service/service.ts';

const service = await startOauthService();
const { pool } = service.database;
const { secrets, newId } = service.app.deps;
const inTransaction = transactionsOf(pool);
const client = await OauthClient.register(service, { client_name: 'Directory' });
let people = 0;

const at = () => ({ secrets, newId, now: service.clock.now() });

async function account(days = 90) {
  const email = `review-${people++}@reviews.example`;
  const made = await inTransaction(async (tx) => {
    const added = await addReviewAccount(tx, at(), { email, days });
    await addSampleSubmission({ ...at(), db: tx, audit: () => undefined }, added.agentId);
    return added;
  });
  return { ...made, person: new Person(service, email) };
}

/** Asks for a code, and enters this one. */
async function enter(person: Person, code: string) {
  const page = await person.open(String(await client.authorizationUrl()));
  const entering = await person.send(page, 'email', { email: person.email });
  return person.send(entering, 'code', { code });
}

test('a reviewer signs in with the code that an operator was shown, and no mail is sent', async () => {
  const { person, code } = await account();
  assert.match(code, /^\d{4} \d{4} \d{4} \d{4}$/);
  for (const written of [code, code.replaceAll(' ', ''), code.replaceAll(' ', '-')])
    assert.match((await enter(new Person(service, person.email), written)).text, /You are signed in as/);
  const [{ mails } = { mails: -1 }] = await pool<{ mails: number }[]>`
    select count(*)::int as mails from message where recipient = ${person.email}`;
  assert.equal(mails, 0);
});

test('the account has something to see, and only it', async () => {
  const { person, code } = await account();
  const signedIn = await enter(person, code);
  const tokens = await client.exchange(await person.decide(signedIn, 'approve'));
  const { body } = await callWith(service, tokens.access_token, 'svc_list_submissions', {});
  const { items } = (body.result as { structuredContent: { items: { name: string; status: string }[] } })
    .structuredContent;
  assert.deepEqual(
    items.map(({ name, status }) => [name, status]),
    [['Sample cafe (review account)', 'pending_review']],
  );
});

test('a wrong code, the code of another account and the code after its end open nothing', async () => {
  const { person, code } = await account(1);
  const { code: others } = await account();
  for (const wrong of ['0000 0000 0000 0000', others, ''])
    assert.equal((await enter(person, wrong)).status, 422);
  service.clock.advance(DAY_MS);
  assert.equal((await enter(person, code)).status, 422);
  // The mailbox is one like any other from then on, and gets its codes by mail.
  assert.equal((await lastMessage(service, 'operator_code'))?.to, person.email);
});

test('five wrong tries end an attempt for a review account too', async () => {
  const { person, code } = await account();
  const page = await person.open(String(await client.authorizationUrl()));
  const entering = await person.send(page, 'email', { email: person.email });
  for (let tries = 0; tries < 5; tries++) await person.send(entering, 'code', { code: '1' });
  assert.match((await person.send(entering, 'code', { code })).text, /This code has expired/);
});

test('the code opens no member account', async () => {
  const { person, code } = await account();
  const page = await person.open('/member/sign-in');
  const entering = await person.send(page, 'email', { email: person.email });
  assert.equal((await person.send(entering, 'code', { code })).status, 422);
});

test('revoking ends the code, the sign-in and the connections at once', async () => {
  const { person, email, code } = await account();
  const signedIn = await enter(person, code);
  const tokens = await client.exchange(await person.decide(signedIn, 'approve'));
  assert.equal((await callWith(service, tokens.access_token, 'svc_list_submissions', {})).status, 200);
  await inTransaction((tx) => revokeReviewAccount(tx, at(), email));
  assert.equal((await callWith(service, tokens.access_token, 'svc_list_submissions', {})).status, 401);
  assert.equal((await enter(new Person(service, email), code)).status, 422);
  assert.match((await person.open('/oauth/connections')).text, /name="email"/);
  await assert.rejects(
    inTransaction((tx) => revokeReviewAccount(tx, at(), email)),
    NoReviewAccountError,
  );
});

test('a reviewer connects with the concierge endpoint too, and its partner ends with the account', async () => {
  const { person, email, code } = await account();
  const endpoint = ENDPOINTS['/api/concierge/mcp'];
  const resource = service.app.deps.config.partnerUrl + endpoint.path;
  const page = await person.open(String(await client.authorizationUrl({ resource, scope: null })));
  const entering = await person.send(page, 'email', { email });
  const signedIn = await person.send(entering, 'code', { code });
  const tokens = await client.exchange(await person.decide(signedIn, 'approve'), { resource });
  const call = () => callEndpoint(service, endpoint, tokens.access_token);
  assert.equal((await call()).status, 200);
  const [partner] = await pool<{ name: string; bookings_enabled: boolean }[]>`
    select name, bookings_enabled from partner where email = ${email}`;
  assert.deepEqual(partner, { name: 'Reviewer of a directory', bookings_enabled: false });
  await inTransaction((tx) => revokeReviewAccount(tx, at(), email));
  assert.equal((await call()).status, 401);
});

test('sessions and connections end together with the account', async () => {
  const { person, email, code } = await account(1);
  await person.decide(await enter(person, code), 'approve');
  service.clock.advance(DAY_MS);
  await inTransaction((tx) => endPastReviewAccounts(tx, at()));
  const [left] = await pool<{ revoked_at: Date | null; grants: number }[]>`
    select revoked_at, (select count(*)::int from oauth_grant g where g.agent_id = r.agent_id) as grants
    from review_account r where email = ${email}`;
  assert.deepEqual([left?.revoked_at, left?.grants], [service.clock.now(), 0]);
});

test('a mailbox that belongs to somebody gets no such code', async () => {
  const email = 'somebody@operator.example';
  await signUpAgent(service, email);
  await assert.rejects(
    inTransaction((tx) => addReviewAccount(tx, at(), { email, days: 5 })),
    MailboxTakenError,
  );
});

test('made again, an account has a new code only, and the trail tells both', async () => {
  const { email, agentId, code } = await account();
  const again = await inTransaction((tx) => addReviewAccount(tx, at(), { email, days: 5 }));
  assert.deepEqual([again.agentId, again.added], [agentId, false]);
  assert.equal((await enter(new Person(service, email), code)).status, 422);
  assert.match((await enter(new Person(service, email), again.code)).text, /You are signed in as/);
  const lines = await pool<{ operation: string }[]>`
    select operation from audit_log where subject = ${agentId} order by sequence`;
  assert.deepEqual(
    lines.map(({ operation }) => operation),
    ['add_review_account', 'add_review_account', 'operator_sign_in'],
  );
});
