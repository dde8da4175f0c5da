import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postMessage } from '../../../../src/messages/post-message.ts';
import { auditOf, signInStaff, type FormClient } from '../../../harness/people/staff.ts';
import { startTestService, type TestService } from '../../../harness/service/service.ts';
import { startSmtp } from '../../../messages/smtp-receiver.ts';

const service = await startTestService();
const SECRET = '314159';

/** A message with a code of somebody else. */
function post({ app: { deps }, clock }: TestService, to: string): Promise<string> {
  const letter = {
    channel: 'mail',
    to,
    subject: 'Your code',
    purpose: 'member_code',
    subject_id: 'x',
  } as const;
  return deps.pool.begin((tx) =>
    postMessage(tx, { newId: deps.newId, now: clock.now() }, { ...letter, text: `Your code: ${SECRET}` }),
  );
}

function open(client: FormClient, id: string): Promise<Response> {
  return client.post(`/console/outbox/${id}`, {}, '/console/outbox');
}

test('the outbox tells nobody what a message says, on the page or to a program', async () => {
  const id = await post(service, 'reader@member.example');
  for (const role of ['reviewer', 'desk', 'lead'] as const) {
    const client = await signInStaff(service, role);
    for (const query of ['', '?format=json', '?to=reader@member.example&format=json', '?state=outbox']) {
      const text = await (await client.get(`/console/outbox${query}`)).text();
      assert.ok(text.includes(id), `${role} ${query}`);
      assert.ok(!text.includes(SECRET), `${role} ${query}`);
    }
  }
});

test('a message is found by what it is about and by its own id, and what finds none leads back to all', async () => {
  const [id, other] = [await post(service, 'c@member.example'), await post(service, 'd@member.example')];
  const desk = await signInStaff(service, 'desk');
  const found = async (about: string) => (await desk.get(`/console/outbox?subject_id=${about}`)).text();
  const both = await found('x');
  assert.ok(both.includes(id) && both.includes(other));
  const one = await found(id);
  assert.ok(one.includes(`<code>${id}</code>`) && !one.includes(other));
  assert.match(one, /To be passed on/);
  assert.match(await found('y'), /No message matches this\.\s*<a href="\/console\/outbox">/);
});

test('without a mail server a lead opens one message at a time, each with its line in the audit log', async () => {
  const [id, other] = [await post(service, 'a@member.example'), await post(service, 'b@member.example')];
  for (const role of ['reviewer', 'desk'] as const) {
    const client = await signInStaff(service, role);
    const csrf = await client.token('/console/account');
    const refused = await client.postRaw(`/console/outbox/${id}`, { csrf });
    assert.equal(refused.status, 403);
    assert.ok(!(await refused.text()).includes(SECRET));
    assert.match(await (await client.get('/console/outbox')).text(), /A lead opens it and passes it on/);
  }
  assert.deepEqual(await auditOf(service.database.pool, id), []);
  const lead = await signInStaff(service, 'lead');
  for (let times = 0; times < 2; times++) {
    const text = await (await open(lead, id)).text();
    assert.ok(text.includes(SECRET) && text.includes('a@member.example'));
    assert.ok(!text.includes('b@member.example'));
  }
  const line = { actor: lead.staff.id, operation: 'open_message', detail: { purpose: 'member_code' } };
  assert.deepEqual(
    (await auditOf(service.database.pool, id)).map((one) => ({ ...one })),
    [line, line],
  );
  assert.deepEqual(await auditOf(service.database.pool, other), []);
  assert.equal((await open(lead, `msg_${'0'.repeat(26)}`)).status, 404);
});

test('with a mail server nobody reads a message, also one that could not be sent yet or lay here before', async () => {
  const smtp = await startSmtp();
  smtp.refuse = () => ({ code: 451, message: 'later' });
  const before = await post(service, 'before@member.example');
  const node = await startTestService({
    database: service.database,
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'Waypost <post@waypost.example>' },
  });
  const waiting = await post(node, 'waiting@member.example');
  const lead = await signInStaff(node, 'lead');
  assert.doesNotMatch(await (await lead.get('/console/outbox')).text(), /Open, to pass it on/);
  const csrf = await lead.token('/console/account');
  for (const id of [before, waiting]) {
    const refused = await lead.postRaw(`/console/outbox/${id}`, { csrf });
    assert.equal(refused.status, 404);
    assert.ok(!(await refused.text()).includes(SECRET));
  }
  await node.close();
});

test('only a lead sees whom a message goes to, on the page and as JSON', async () => {
  const id = await post(service, 'hidden.reader@member.example');
  const numbered = await service.app.deps.pool.begin((tx) =>
    postMessage(
      tx,
      { newId: service.app.deps.newId, now: service.clock.now() },
      {
        channel: 'sms',
        to: '+351912345678',
        subject: '',
        purpose: 'claim_code',
        subject_id: 'y',
        text: 'Hello',
      },
    ),
  );
  const clients = {
    reviewer: await signInStaff(service, 'reviewer'),
    desk: await signInStaff(service, 'desk'),
    lead: await signInStaff(service, 'lead'),
  };
  const told = async (role: keyof typeof clients, query: string) =>
    (await clients[role].get(`/console/outbox${query}`)).text();
  for (const query of ['', '?format=json', '?subject_id=y', '?format=json&to=hidden.reader@member.example']) {
    for (const role of ['reviewer', 'desk'] as const) {
      const text = (await told(role, query)).replaceAll(/<input[^>]*>/g, '');
      assert.ok(text.includes(query.includes('=y') ? numbered : id), `${role} ${query}`);
      assert.ok(!text.includes('hidden.reader@'), `${role} ${query}`);
      assert.ok(!text.includes('+351912345678'), `${role} ${query}`);
    }
    const whole = await told('lead', query);
    assert.ok(whole.includes(query.includes('=y') ? '+351912345678' : 'hidden.reader@member.example'), query);
  }
});
