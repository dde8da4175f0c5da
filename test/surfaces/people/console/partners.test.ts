import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../harness/service/jobs.ts';
import { rpc } from '../../../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../../../harness/people/partner.ts';
import { sharedService } from '../../../harness/service/shared-service.ts';
import { FormClient, signInStaff } from '../../../harness/people/staff.ts';

const service = await sharedService();
const { pool } = service.app.deps;
const lead = await signInStaff(service, 'lead');
const desk = await signInStaff(service, 'desk');
const reviewer = await signInStaff(service, 'reviewer');

type Client = typeof lead;

function send(
  client: Client,
  partnerId: string,
  fields: Record<string, string>,
  path = '',
): Promise<Response> {
  return client.post(`/console/partners/${partnerId}${path}`, fields, `/console/partners/${partnerId}`);
}

interface Settings {
  bookings_enabled: boolean;
  bookings_reason: string | null;
  bookings_by: string | null;
  plan: string;
  pay_per_call: boolean;
  spend_limit_cents: number;
  status: string;
}

async function settingsOf(partnerId: string): Promise<Settings> {
  const [row] = await pool<Settings[]>`
    select bookings_enabled, bookings_reason, bookings_by, plan, pay_per_call, spend_limit_cents, status
    from partner where id = ${partnerId}`;
  assert.ok(row);
  return row;
}

async function lettersTo(partnerId: string): Promise<string[]> {
  const rows = await pool<{ body: string }[]>`
    select body from message where subject_id = ${partnerId} order by sequence`;
  return rows.map(({ body }) => body);
}

test('the desk switches bookings on and off with a reason, the partner is told, and the audit log says who did it', async () => {
  const { partnerId, headers } = await addTestPartner(service);
  const reason = 'The contract <b>is</b> signed.';
  const on = await send(desk, partnerId, { bookings_enabled: 'on', reason });
  assert.equal(on.status, 303);
  assert.equal(on.headers.get('location'), `/console/partners/${partnerId}?done=partner_bookings`);
  const { bookings_enabled, bookings_reason, bookings_by } = await settingsOf(partnerId);
  assert.deepEqual([bookings_enabled, bookings_reason, bookings_by], [true, reason, desk.staff.id]);
  const usage = await service.request('/api/partner/usage', { headers });
  assert.equal(((await usage.json()) as { bookings: { enabled: boolean } }).bookings.enabled, true);
  assert.ok((await lettersTo(partnerId)).some((text) => text.includes(reason)));
  const page = await (await lead.get(`/console/partners/${partnerId}`)).text();
  assert.ok(page.includes('Bookings on') && page.includes('&lt;b&gt;is&lt;/b&gt;'));
  const audit = await (await lead.get(`/console/audit?subject=${partnerId}`)).text();
  assert.ok(audit.includes('Partner bookings') && audit.includes(desk.staff.email));
  await send(desk, partnerId, { bookings_enabled: 'off', reason: 'Too many guests did not come.' });
  assert.equal((await settingsOf(partnerId)).bookings_enabled, false);
});

test('bookings are switched on only for a proven mailbox; the page shows which it is and says what to do', async () => {
  const { partnerId, email } = await addTestPartner(service, { proven: false });
  const on = { bookings_enabled: 'on', reason: 'The contract is signed.' };
  const page = await (await desk.get(`/console/partners/${partnerId}`)).text();
  assert.match(page, /Mailbox not verified/);
  assert.match(page, /Ask the partner to sign in once at https:\/\/waypost\.example\/partner\/sign-in/);
  assert.doesNotMatch(page, /name="bookings_enabled"/);
  for (const client of [desk, lead]) {
    const refused = await send(client, partnerId, on);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /Nothing was changed\. The mailbox/);
  }
  assert.equal((await settingsOf(partnerId)).bookings_enabled, false);
  assert.deepEqual(await lettersTo(partnerId), []);
  assert.match(await (await desk.get(`/console/partners?q=${email}`)).text(), /Mailbox not verified/);

  const person = new FormClient(service);
  await person.post('/partner/sign-in', { email });
  const link = await until('a sign-in link', async () => {
    const [body] = await lettersTo(partnerId);
    return /\/partner\/sign-in\/[\w-]{43}/.exec(body ?? '')?.[0];
  });
  assert.equal((await person.post(link, {})).status, 200);
  assert.match(await (await desk.get(`/console/partners/${partnerId}`)).text(), /Mailbox verified/);
  assert.equal((await send(desk, partnerId, on)).status, 303);
  assert.equal((await settingsOf(partnerId)).bookings_enabled, true);
});

test('the same switch twice changes nothing the second time, and tells nobody again', async () => {
  const { partnerId } = await addTestPartner(service);
  await send(lead, partnerId, { bookings_enabled: 'on', reason: 'Once.' });
  const again = await send(lead, partnerId, { bookings_enabled: 'on', reason: 'Twice.' });
  assert.equal(again.headers.get('location'), `/console/partners/${partnerId}?done=same`);
  assert.equal((await lettersTo(partnerId)).length, 1);
  const audited = await pool`select detail from audit_log where subject = ${partnerId}`;
  assert.deepEqual(
    audited.map(({ detail }) => detail),
    [{ enabled: true, reason: 'Once.' }],
  );
  assert.equal((await settingsOf(partnerId)).bookings_reason, 'Once.');
});

test('a switch without a reason, or to something else than on and off, is refused and changes nothing', async () => {
  const { partnerId } = await addTestPartner(service);
  for (const fields of [
    { bookings_enabled: 'on', reason: '' },
    { bookings_enabled: 'on', reason: 'x' },
    { bookings_enabled: 'on', reason: 'y'.repeat(1001) },
    { bookings_enabled: 'yes', reason: 'A good reason.' },
    { reason: 'A good reason.' },
  ]) {
    const response = await send(lead, partnerId, fields);
    assert.equal(response.status, 422, JSON.stringify(fields));
    assert.match(await response.text(), /Nothing was changed/);
  }
  assert.equal((await settingsOf(partnerId)).bookings_enabled, false);
  assert.deepEqual(await lettersTo(partnerId), []);
});

test('a reviewer may look and may not switch; only a lead changes the plan or closes the account', async () => {
  const { partnerId } = await addTestPartner(service);
  assert.equal((await reviewer.get(`/console/partners/${partnerId}`)).status, 200);
  const csrf = await reviewer.token(`/console/partners/${partnerId}`);
  const on = { csrf, bookings_enabled: 'on', reason: 'A good reason.' };
  assert.equal((await reviewer.postRaw(`/console/partners/${partnerId}`, on)).status, 403);
  const plan = { plan: 'platform', reason: 'They paid.' };
  assert.equal((await send(desk, partnerId, plan, '/plan')).status, 403);
  assert.equal((await send(desk, partnerId, { reason: 'A good reason.' }, '/revoke')).status, 403);
  assert.equal((await send(lead, partnerId, plan, '/plan')).status, 303);
  assert.equal((await settingsOf(partnerId)).plan, 'platform');
  const refused = await send(lead, partnerId, { plan: 'gold', reason: 'Why not.' }, '/plan');
  assert.equal(refused.status, 422);
  const kept = /id="(\w+)-reason"[^>]*>\s*Why not\.<\/textarea>/.exec(await refused.text());
  assert.equal(kept?.[1], 'partner_plan', 'what was typed stays in its own form');
});

test('pay-per-call is switched with a limit in dollars and cents, and nothing else is taken for a sum', async () => {
  const { partnerId } = await addTestPartner(service);
  const saved = await send(
    desk,
    partnerId,
    { pay_per_call: 'on', spend_limit_usd: '12.50' },
    '/pay-per-call',
  );
  assert.equal(saved.status, 303);
  const { pay_per_call, spend_limit_cents } = await settingsOf(partnerId);
  assert.deepEqual([pay_per_call, spend_limit_cents], [true, 1250]);
  for (const sum of ['', '-1', '1e3', '12.345', '1,000', '100000.01', 'ten', '１２'])
    assert.equal(
      (await send(desk, partnerId, { pay_per_call: 'on', spend_limit_usd: sum }, '/pay-per-call')).status,
      422,
      sum,
    );
  assert.equal((await settingsOf(partnerId)).spend_limit_cents, 1250);
  await send(desk, partnerId, { pay_per_call: 'on', spend_limit_usd: '7,5' }, '/pay-per-call');
  assert.equal((await settingsOf(partnerId)).spend_limit_cents, 750);
});

test('a suspended partner is refused until that is lifted, and a closed account stays closed', async () => {
  const { partnerId, headers } = await addTestPartner(service);
  const list = { id: 1, method: 'tools/list' };
  const status = async () => (await rpc(service, PARTNER_MCP, list, headers)).status;
  assert.equal((await send(reviewer, partnerId, { reason: 'Looks odd.' }, '/suspend')).status, 303);
  assert.equal(await status(), 403);
  assert.equal((await send(reviewer, partnerId, { reason: 'Once more.' }, '/suspend')).status, 409);
  await send(reviewer, partnerId, { reason: 'It was fine.' }, '/unsuspend');
  assert.equal(await status(), 200);
  await send(lead, partnerId, { reason: 'It sells the data.' }, '/revoke');
  assert.equal(await status(), 401);
  assert.equal((await send(lead, partnerId, { bookings_enabled: 'on', reason: 'Please.' })).status, 303);
  assert.equal((await settingsOf(partnerId)).bookings_enabled, false);
});

test('partners are found by name, email, plan and id, and an unknown id is not found', async () => {
  const { partnerId, email } = await addTestPartner(service, { plan: 'concierge' });
  const listed = async (query: string) => (await desk.get(`/console/partners?${query}`)).text();
  for (const query of ['', `q=${partnerId}`, `q=${email}`, 'q=test+partner', 'plan=concierge'])
    assert.ok((await listed(query)).includes(partnerId), query);
  assert.ok(!(await listed('plan=platform&q=concierge')).includes(partnerId));
  assert.ok(!(await listed('q=%25%25')).includes(partnerId), 'a percent sign is a percent sign');
  for (const id of [`ptn_${'0'.repeat(26)}`, 'x', "ptn_'"])
    assert.equal((await desk.get(`/console/partners/${encodeURIComponent(id)}`)).status, 404);
});

test('the database itself holds that bookings are on only with a reason and a person', async () => {
  const { partnerId } = await addTestPartner(service);
  await assert.rejects(
    pool`update partner set bookings_enabled = true where id = ${partnerId}`,
    /partner_bookings_decided/,
  );
});

test('the database itself holds that bookings are on only for a proven mailbox', async () => {
  const { partnerId } = await addTestPartner(service, { proven: false });
  await assert.rejects(
    pool`
      update partner set bookings_enabled = true, bookings_reason = 'a test', bookings_at = now(),
        bookings_by = ${lead.staff.id}
      where id = ${partnerId}`,
    /partner_bookings_need_proof/,
  );
});
