import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signUpAgent, startTestService } from '../../../harness/service/service.ts';
import { signInStaff } from '../../../harness/people/staff.ts';

const service = await startTestService();
const second = await startTestService({ database: service.database });
const { pool } = service.app.deps;
const lead = await signInStaff(service, 'lead');

async function calls(apiKey: string, node = service): Promise<number> {
  const response = await node.request('/api/agent/me', { headers: { authorization: `Bearer ${apiKey}` } });
  return response.status;
}

function measure(agentId: string, move: string, reason: string): Promise<Response> {
  return lead.post(
    `/console/agents/${agentId}/${move}`,
    { reason, ...(move === 'revoke' && { listings: 'keep' }) },
    `/console/agents/${agentId}`,
  );
}

test('a suspended agent is refused on every node from the next request on, until the suspension is lifted', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  assert.equal(await calls(apiKey), 200);
  const done = await measure(agentId, 'suspend', 'Sends the same place a hundred times.');
  assert.equal(done.headers.get('location'), `/console/agents/${agentId}?done=agent_suspend`);
  assert.deepEqual([await calls(apiKey), await calls(apiKey, second)], [403, 403]);
  assert.equal((await measure(agentId, 'suspend', 'Once more.')).status, 409, 'it is suspended already');
  await measure(agentId, 'unsuspend', 'It was a mistake.');
  assert.deepEqual([await calls(apiKey), await calls(apiKey, second)], [200, 200]);
});

test('a key that was revoked for invented businesses never works again', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  await measure(agentId, 'revoke', 'None of its ten businesses exists.');
  assert.deepEqual([await calls(apiKey), await calls(apiKey, second)], [401, 401]);
  assert.equal((await measure(agentId, 'unsuspend', 'Please.')).status, 409);
  const keys = await pool`select 1 from api_key where agent_id = ${agentId} and revoked_at is null`;
  assert.equal(keys.length, 0);
});

test('the operator is told why, and the audit log says who did it', async () => {
  const { agentId } = await signUpAgent(service);
  const reason = `It submits <b>invented</b> places & more.`;
  await measure(agentId, 'suspend', reason);
  const outbox = await lead.get(`/console/outbox?format=json&subject_id=${agentId}`);
  const { messages } = (await outbox.json()) as { messages: { id: string; purpose: string }[] };
  assert.equal(messages.length, 1);
  const opened = await lead.post(`/console/outbox/${messages[0]?.id ?? ''}`, {}, '/console/outbox');
  assert.ok((await opened.text()).includes('It submits &lt;b&gt;invented&lt;/b&gt; places &amp; more.'));
  const page = await (await lead.get(`/console/audit?subject=${agentId}`)).text();
  assert.ok(page.includes('Agent suspend') && page.includes(lead.staff.email));
  assert.match(page, /<bdi>Test Agent<\/bdi>, agent/, 'it is named, as what it is');
  assert.ok(page.includes('&lt;b&gt;invented&lt;/b&gt;') && !page.includes('<b>invented'));
});

test('a measure without a reason is refused and changes nothing', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  for (const reason of ['', 'x', 'y'.repeat(1001), 'a\u0000bcdef'])
    assert.equal((await measure(agentId, 'suspend', reason)).status, 422);
  const again = await (await measure(agentId, 'suspend', 'x')).text();
  assert.match(again, /id="agent_suspend-reason"[^>]*>\s*x<\/textarea>/, 'what was typed stays');
  assert.equal(await calls(apiKey), 200);
});

test('the list and the page of an agent say whether its mailbox is proven', async () => {
  const { agentId } = await signUpAgent(service);
  const seen = async () => [
    await (await lead.get(`/console/agents?q=${agentId}`)).text(),
    await (await lead.get(`/console/agents/${agentId}`)).text(),
  ];
  for (const text of await seen()) assert.match(text, /Mailbox not verified/);
  await pool`update agent set email_verified_at = ${service.clock.now()} where id = ${agentId}`;
  for (const text of await seen()) assert.match(text, /Mailbox verified/);
});

test('agents are found by name, operator and id', async () => {
  const { agentId } = await signUpAgent(service);
  const listed = async (query: string) => (await lead.get(`/console/agents?${query}`)).text();
  assert.ok((await listed(`q=${agentId}`)).includes(agentId));
  assert.ok((await listed('q=test+operator')).includes(agentId));
  assert.ok(!(await listed('q=%25%25')).includes(agentId), 'a percent sign is a percent sign');
  assert.ok(!(await listed('status=revoked')).includes(agentId));
});
