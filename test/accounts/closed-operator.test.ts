import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInStaff } from '../harness/people/staff.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const CONTACT = 'desk@waypost.example';
const service = await startTestService({ settings: { CONTACT_EMAIL: CONTACT } });
const lead = await signInStaff(service, 'lead');

interface Problem {
  status: number;
  code: string;
  detail: string;
}

async function post(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await service.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function signUpAgain(email: string): Promise<Problem> {
  const { text } = await post('/api/agent/signup', {
    agent_name: 'Test Agent',
    operator_name: 'Test Operator',
    operator_email: email,
    purpose: 'Tests what agents may do here.',
  });
  const { status, code, detail } = JSON.parse(text) as Problem;
  return { status, code, detail };
}

async function operator(
  email: string,
  move?: 'suspend' | 'revoke',
): Promise<{ email: string; apiKey: string }> {
  const { agentId, apiKey } = await signUpAgent(service, email);
  if (move !== undefined) {
    const page = `/console/agents/${agentId}`;
    const done = await lead.post(
      `${page}/${move}`,
      { reason: 'None of its places exists.', ...(move === 'revoke' && { listings: 'keep' }) },
      page,
    );
    assert.equal(done.headers.get('location'), `${page}?done=${move === 'revoke' ? move : `agent_${move}`}`);
  }
  return { email, apiKey };
}

test('an operator whose account was suspended or closed learns to whom to write, and nobody learns that it was', async () => {
  const active = await operator('active@operator.example');
  const suspended = await operator('suspended@operator.example', 'suspend');
  const revoked = await operator('revoked@operator.example', 'revoke');
  const told = await signUpAgain(revoked.email);
  assert.deepEqual([told.status, told.code], [409, 'operator_exists']);
  assert.match(told.detail, new RegExp(`suspended or closed: then write to ${CONTACT}`));
  for (const { email } of [active, suspended])
    assert.deepEqual(await signUpAgain(email), told, 'the words are the same whatever became of the account');
});

test('the answer to a lost key names the contact too, and is the same for every address', async () => {
  await operator('gone@operator.example', 'revoke');
  const answers = [];
  for (const operator_email of ['gone@operator.example', 'nobody@operator.example'])
    answers.push(await post('/api/agent/recover', { operator_email }));
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.status, 202);
  assert.match(answers[0].text, new RegExp(`write to ${CONTACT}`));
});

test('the refusal of a key of a closed or suspended account names a contact', async () => {
  for (const [move, status] of [
    ['suspend', 403],
    ['revoke', 401],
  ] as const) {
    const { apiKey } = await operator(`${move}d-holder@operator.example`, move);
    const response = await service.request('/api/agent/me', {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    assert.equal(response.status, status);
    assert.match(((await response.json()) as Problem).detail, new RegExp(`[Ww]rite to ${CONTACT}`));
  }
});
