import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { until } from '../harness/service/jobs.ts';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import { callWith, OauthClient } from '../harness/clients/oauth-client.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { lastMessage } from '../harness/people/submissions.ts';
import { sendSignInCode } from '../../src/accounts/sign-in/sign-in-code.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';

const service = await startOauthService();
const { pool } = service.database;
const client = await OauthClient.register(service, { client_name: 'Trip Planner' });
let people = 0;

/** Somebody who has asked for a code, in front of the page on which it is entered. */
async function asking(email = `person-${people++}@operator.example`) {
  const person = new Person(service, email);
  const page = await person.open(String(await client.authorizationUrl()));
  const entering = await person.send(page, 'email', { email });
  return { person, entering, code: await person.mailedCode() };
}

/** Whether somebody else at the same address, with another browser and no page, was sent a code. */
async function askedInCrowd(email: string): Promise<boolean> {
  const { deps } = service.app;
  const sent = await pool.begin((tx) =>
    sendSignInCode(tx, { deps, now: service.clock.now(), newId: deps.newId }, 'operator', {
      email,
      address: addressGroup('127.0.0.1'),
      browser: randomBytes(32),
      purpose: 'to see whether it works',
    }),
  );
  return sent.outcome === 'sent';
}

function other(code: string): string {
  return code === '000000' ? '111111' : '000000';
}

test('the mail says what the code is for, and its subject does not give the code away', async () => {
  const { code } = await asking();
  const message = await lastMessage(service, 'operator_code');
  assert.match(message?.text ?? '', /to connect Trip Planner \(localhost:45678\)/);
  assert.ok(!message?.subject.includes(code));
  assert.match(code, /^\d{6}$/);
});

test('five wrong codes end a sending, and the right one after them is too late', async () => {
  const { person, entering, code } = await asking();
  for (let left = 4; left > 0; left--) {
    const page = await person.send(entering, 'code', { code: other(code) });
    assert.equal(page.status, 422);
    assert.match(page.text, new RegExp(`You have ${left} (try|tries) left`));
  }
  for (const sent of [other(code), code]) {
    const page = await person.send(entering, 'code', { code: sent });
    assert.equal(page.status, 422);
    assert.match(page.text, /This code has expired/);
  }
});

test('wrong codes that come all at once are counted one by one', async () => {
  const { person, entering, code } = await asking();
  const pages = await Promise.all(
    Array.from({ length: 12 }, () => person.send(entering, 'code', { code: other(code) })),
  );
  assert.equal(pages.filter(({ text }) => text.includes('This is not the code')).length, 4);
  assert.match((await person.send(entering, 'code', { code })).text, /This code has expired/);
});

test('a code works once, for ten minutes, and in the form in which it was asked for', async () => {
  const first = await asking();
  service.clock.advance(10 * MINUTE_MS);
  const late = await first.person.send(first.entering, 'code', { code: first.code });
  assert.match(late.text, /This code has expired/);

  const second = await asking();
  const third = await asking();
  const crossed = await third.person.send(third.entering, 'code', { code: other(second.code) });
  assert.equal(crossed.status, 422);
  const spaced = `${second.code.slice(0, 3)} ${second.code.slice(3)}`;
  const page = await second.person.send(second.entering, 'code', { code: spaced });
  assert.match(page.text, /You are signed in as/);
  const again = await second.person.send(second.entering, 'code', { code: second.code });
  // The form belongs to a browser that was not signed in yet.
  assert.equal(again.status, 403);
});

test('nobody learns from the page whether an address has an account', async () => {
  const { agentId } = await signUpAgent(service);
  const [agent] = await pool<{ operator_email: string }[]>`
    select operator_email from agent where id = ${agentId}`;
  const known = await asking(agent?.operator_email ?? '');
  const unknown = await asking('nobody@operator.example');
  const shape = (text: string, email: string) =>
    text
      .replaceAll(email, 'EMAIL')
      .replaceAll(/osi_\w+/g, 'ATTEMPT')
      .replaceAll(/value="[^"]*"/g, 'VALUE')
      .replaceAll(/connect\/[\w-]+/g, 'CONNECT');
  assert.equal(
    shape(known.entering.text, known.person.email),
    shape(unknown.entering.text, unknown.person.email),
  );
});

test('no mailbox gets more than ten codes a day', async () => {
  const email = 'pestered@operator.example';
  const person = new Person(service, email);
  const page = await person.open(String(await client.authorizationUrl()));
  assert.equal((await person.send(page, 'email', { email })).status, 200);
  for (let sent = 1; sent < 10; sent++) assert.equal(await askedInCrowd(email), true);
  const refused = await person.send(page, 'email', { email });
  assert.equal(refused.status, 429);
  assert.match(refused.text, /Too many codes were requested/);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const [{ count } = { count: 0 }] = await pool<{ count: number }[]>`
    select count(*)::int as count from message where recipient = ${email}`;
  assert.equal(count, 10);
  service.clock.advance(DAY_MS);
});

test('one address cannot ask for codes for everybody', async () => {
  const person = new Person(service, 'many@operator.example');
  const page = await person.open(String(await client.authorizationUrl()));
  let taken = 0;
  for (let asked = 0; asked < 40; asked++) {
    const email = `victim-${asked}@operator.example`;
    // Those around the limit ask on the page.
    const sent = [0, 29, 30, 39].includes(asked)
      ? (await person.send(page, 'email', { email })).status === 200
      : await askedInCrowd(email);
    if (sent) taken += 1;
  }
  assert.equal(taken, 30);
  service.clock.advance(DAY_MS);
});

test('codes that are entered do not count against an address that many people share', async () => {
  for (let asked = 0; asked < 28; asked++)
    assert.equal(await askedInCrowd(`crowd-${asked}@operator.example`), true);
  // Two are left to the address.
  for (let asked = 0; asked < 5; asked++) {
    const { person, entering, code } = await asking();
    assert.equal((await person.send(entering, 'code', { code })).status, 200);
  }
  service.clock.advance(DAY_MS);
});

test('an address that is none is sent back with the reason', async () => {
  const person = new Person(service, 'x');
  const page = await person.open(String(await client.authorizationUrl()));
  for (const email of [
    '',
    'name',
    'a@b',
    'a\u0000@operator.example',
    `${'a'.repeat(300)}@operator.example`,
  ]) {
    const answer = await person.send(page, 'email', { email });
    assert.equal(answer.status, 422);
    assert.match(answer.text, /This is not an email address/);
  }
});

test('a form that was not opened in this browser does nothing', async () => {
  const { person, entering } = await asking();
  const forged = entering.text.replaceAll(/(name="csrf" value=")[^"]+/g, '$1x.y');
  for (const [ending, fields] of [
    ['code', { code: '123456' }],
    ['decision', { decision: 'deny' }],
  ] as const)
    assert.equal((await person.send({ ...entering, text: forged }, ending, fields)).status, 403);
});

test('an operator sees what is connected, and ends it for all nodes', async () => {
  const { person, entering, code } = await asking();
  const deciding = await person.send(entering, 'code', { code });
  const tokens = await client.exchange(await person.decide(deciding, 'approve'));
  const list = await person.open('/oauth/connections');
  assert.match(list.text, /Trip Planner/);
  assert.match(list.text, /localhost:45678/);
  assert.match(list.text, /Not used yet/);
  await callWith(service, tokens.access_token);
  await until('the use is noted', async () => {
    const { text } = await person.open('/oauth/connections');
    return text.includes('Last used');
  });

  const stranger = await asking();
  await stranger.person.send(stranger.entering, 'code', { code: stranger.code });
  const empty = await stranger.person.open('/oauth/connections');
  assert.match(empty.text, /No client is connected/);
  const [grant] = await pool<
    { id: string }[]
  >`select id from oauth_grant order by created_at desc, id desc limit 1`;
  const form = `<form action="/oauth/connections/${grant?.id ?? ''}/disconnect"`;
  const csrf = /<input\s+type="hidden" name="csrf"[^>]*>/.exec(empty.text)?.[0] ?? '';
  const foreign = { ...empty, text: `${form}>${csrf}` };
  assert.match((await stranger.person.send(foreign, 'disconnect', {})).text, /was already disconnected/);

  const gone = await person.send(list, 'disconnect', {});
  assert.match(gone.text, /Trip Planner is disconnected/);
  assert.match(gone.text, /No client is connected/);
  await assert.rejects(client.refresh(tokens.refresh_token));
  const out = await person.send(gone, 'sign-out', {});
  assert.match(out.text, /name="email"/);
});

test('signing in, connecting and disconnecting leave one line each in the audit log, without the mailbox', async () => {
  const email = 'audited@operator.example';
  const { agentId, apiKey } = await signUpAgent(service, email);
  const { person, entering, code } = await asking(email);
  await client.exchange(await person.decide(await person.send(entering, 'code', { code }), 'approve'));
  const [grant] = await pool<{ id: string }[]>`select id from oauth_grant where agent_id = ${agentId}`;
  await person.send(await person.open('/oauth/connections'), 'disconnect', {});
  const lines = await pool<{ operation: string; subject: string; key: string | null }[]>`
    select operation, subject, detail->>'ended_key' as key from audit_log
    where actor = ${agentId} order by sequence`;
  assert.deepEqual(
    lines.map(({ operation, subject, key }) => [operation, subject, key]),
    [
      ['operator_sign_in', agentId, null],
      ['connect_client', grant?.id, apiKey.slice(0, 12)],
      ['disconnect_client', grant?.id, null],
    ],
  );
  const named = await pool`select from audit_log a where position(${email} in a::text) > 0`;
  assert.equal(named.count, 0);
  const registered = await pool`
    select from audit_log where operation = 'register_client' and subject = ${client.client.client_id}`;
  assert.equal(registered.count, 1);
});
