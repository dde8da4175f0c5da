import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTestStaff, FormClient, type TestStaff } from '../harness/people/staff.ts';
import { startTestService } from '../harness/service/service.ts';
import { tries } from '../harness/tier.ts';

/** Twice as many guesses are more than an account takes. */
const STRANGERS = tries({ quick: 14, long: 40 });
/** Of these each takes a third of a second. */
const IN_LINE = tries({ quick: 4, long: 8 });

const service = await startTestService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });

/** Somebody who tries passwords, in a browser and from an address of their own. */
async function stranger(at: number): Promise<(email: string) => Promise<number>> {
  const client = new FormClient(service);
  const csrf = await client.token('/console/sign-in');
  const headers = { 'x-forwarded-for': `203.0.113.${at}` };
  return async (email) => {
    const fields = { csrf, email, password: `guess ${at}`, totp: String(at).padStart(6, '0') };
    const answer = await client.postRaw('/console/sign-in', fields, headers);
    await answer.arrayBuffer();
    return answer.status;
  };
}

async function signIn(lead: TestStaff): Promise<FormClient> {
  const client = new FormClient(service);
  const fields = { email: lead.email, password: lead.password, totp: lead.code() };
  const answer = await client.post('/console/sign-in', fields);
  assert.equal(answer.status, 303, await answer.text());
  return client;
}

test('while strangers try passwords for the lead and for anybody, the lead signs in ahead of them and throws the kill switch', async () => {
  const lead = await addTestStaff(service, 'lead');
  const strangers = await Promise.all(Array.from({ length: STRANGERS }, (_, at) => stranger(at)));
  const atLead = await Promise.all(strangers.flatMap((guess) => [guess(lead.email), guess(lead.email)]));
  assert.deepEqual([...new Set(atLead)].sort(), [401, 429]);
  assert.ok(atLead.filter((status) => status === 401).length <= 20, 'the rest was refused before the hash');

  // Of nobody's account: each takes a third of a second, and those that wait make up a long line.
  let answered = 0;
  const others = strangers.slice(0, IN_LINE).map(async (guess, at) => {
    const status = await guess(`nobody-${at}@staff.example`);
    answered += 1;
    return status;
  });
  await new Promise((resolve) => setImmediate(resolve));
  const client = await signIn(lead);
  assert.ok(answered < others.length, 'the line of strangers is still there');
  const page = '/console/kill-switch';
  const halt = { state: 'on', reason: 'Somebody attacks us.' };
  const halted = await client.post(page, halt, `${page}?${new URLSearchParams(halt).toString()}`);
  assert.equal(halted.headers.get('location'), `${page}?done=on`);
  assert.deepEqual([...new Set(await Promise.all(others))], [401]);
  await signIn(lead);
});
