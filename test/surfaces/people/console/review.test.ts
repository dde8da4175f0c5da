import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOKS, noBrowser, openBrowser, screenshot, VIEWS } from '../../../harness/browser/browser.ts';
import { signUpAgent, startTestService } from '../../../harness/service/service.ts';
import {
  addTestStaff,
  type FormClient,
  signInBrowser,
  signInStaff,
  submitBusiness,
} from '../../../harness/people/staff.ts';
import { passTime, runTask, until } from '../../../harness/service/jobs.ts';
import { applyDecision } from '../../../../src/submissions/review/hold-decision.ts';
import { DAY_MS } from '../../../../src/core/time.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.app.deps;
const { apiKey } = await signUpAgent(service);
let made = 0;

function submit(fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  return submitBusiness(service, apiKey, {
    name: `Warung Nomor ${made}`,
    external_ref: `ref-${made}`,
    ...fields,
  });
}

async function statusOf(submissionId: string): Promise<string | undefined> {
  const [row] = await pool<{ status: string }[]>`select status from submission where id = ${submissionId}`;
  return row?.status;
}

async function nameOf(submissionId: string): Promise<string> {
  const [row] = await pool<{ name: string }[]>`
    select content->>'name' as name from submission_revision where submission_id = ${submissionId}`;
  return row?.name ?? '';
}

/** Lets the minute pass in which a decision can be undone. */
async function takesEffect(submissionId: string, status: string): Promise<void> {
  if ((await statusOf(submissionId)) === status) return;
  assert.equal(await statusOf(submissionId), 'pending_review');
  await passTime(service, 61_000);
  await until(`${submissionId} is ${status}`, async () => (await statusOf(submissionId)) === status);
}

const reviewer = await signInStaff(service, 'reviewer');
const other = await signInStaff(service, 'lead');

function decide(client: FormClient, id: string, fields: Record<string, string>): Promise<Response> {
  return client.post(`/console/review/${id}`, { revision: '1', ...fields }, '/console/review');
}

for (const view of LOOKS.filter(({ scheme }) => scheme === 'light')) {
  test(`a reviewer approves and rejects in a browser, on ${view.name}`, { skip: noBrowser }, async () => {
    const staff = await addTestStaff(service, 'reviewer');
    const [first, second] = [await submit(), await submit()];
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await signInBrowser(page, service, staff);
    await page.goto(`${service.url}/console/review/${first}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(`${await nameOf(first)} is approved.`).waitFor();
    assert.match(page.url(), /\/console\/review\/sub_/, 'the next submission opens by itself');
    await takesEffect(first, 'approved');

    await page.goto(`${service.url}/console/review/${second}`);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Choose the reason: the agent').waitFor();
    assert.equal(await statusOf(second), 'pending_review', 'a rejection without a reason is none');
    await screenshot(page, `console reason missing ${view.name}`);
    await page.getByLabel('Reason').selectOption('insufficient_detail');
    await page.getByLabel('In your words').fill('Which of the two streets is it?');
    await page.getByLabel('What they can do about it').fill('Add the house number.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText(`${await nameOf(second)} is rejected.`).waitFor();
    await takesEffect(second, 'rejected');
    await page.goto(`${service.url}/console/review/${second}`);
    await page.getByText('Which of the two streets is it?').waitFor();
    await page.getByRole('heading', { name: 'What was submitted' }).waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /an approval adds it|If you approve/);
    await screenshot(page, `console decided ${view.name}`);
  });
}

test('the whole queue can be done by keyboard', { skip: noBrowser }, async () => {
  const staff = await addTestStaff(service, 'reviewer');
  const id = await submit();
  const { page } = await openBrowser(service.url, VIEWS[2]);
  await signInBrowser(page, service, staff);
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await page.getByRole('heading', { name: 'Review' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await screenshot(page, 'console keyboard desktop light');
  await page.keyboard.press('Escape');
  const rows = await page.locator('[data-row]').count();
  for (let row = 0; row < rows; row++) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/review/${id}`);
  await page.keyboard.press('a');
  assert.equal(await statusOf(id), 'pending_review', 'one key decides nothing');
  await page.keyboard.press('Enter');
  await page.getByText(`${await nameOf(id)} is approved.`).waitFor();
  await takesEffect(id, 'approved');
});

test(
  'twenty submissions are decided by keyboard at once, and undone within the minute',
  { skip: noBrowser },
  async () => {
    const staff = await addTestStaff(service, 'reviewer');
    const ids: string[] = [];
    for (let nth = 0; nth < 20; nth++) ids.push(await submit({ external_ref: `many-${nth}` }));
    const visit = await openBrowser(service.url, VIEWS[2]);
    const { page } = visit;
    await signInBrowser(page, service, staff);
    const statuses = async () => new Set(await Promise.all(ids.map(statusOf)));
    const chooseAll = async () => {
      await page.goto(`${service.url}/console/review`);
      for (const row of await page.locator('[data-row]').all()) {
        await row.focus();
        await page.keyboard.press('x');
      }
      await screenshot(page, 'console review chosen');
      await page.getByRole('button', { name: 'Approve the chosen' }).press('Enter');
      await page.getByText('You can undo this for 60 seconds').waitFor();
    };
    await chooseAll();
    assert.equal(await page.locator('.choose').count(), 0, 'the queue is empty');
    await screenshot(page, 'console review decided many');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('The decision is undone').waitFor();
    assert.equal(await page.locator('.choose').count(), await page.locator('[data-row]').count());
    assert.ok((await page.locator('.choose').count()) >= 20);
    await passTime(service, 61_000);
    assert.deepEqual(await statuses(), new Set(['pending_review']));
    await chooseAll();
    for (const id of ids) await takesEffect(id, 'approved');
    assert.deepEqual(visit.faults, []);
  },
);

test('a rejection of several needs a reason, and stale or unknown choices change nothing', async () => {
  const id = await submit();
  const many = (fields: Record<string, string>) =>
    reviewer.post('/console/review/many', fields, '/console/review');
  assert.equal((await many({ decision: 'rejected', chosen: `${id}:1`, reason_code: '' })).status, 422);
  assert.equal((await many({ decision: 'approved', chosen: 'nonsense', reason_code: '' })).status, 422);
  assert.equal((await many({ decision: 'approved', chosen: `${id}:7`, reason_code: '' })).status, 409);
  assert.equal(await statusOf(id), 'pending_review');
  assert.equal((await pool`select 1 from held_decision where submission_id = ${id}`).length, 0);
});

test('a decision of the last minute is respected by others, and undone only by its reviewer', async () => {
  const id = await submit();
  assert.equal((await decide(reviewer, id, { decision: 'approve', hold: 'yes' })).status, 303);
  const refused = await decide(other, id, { decision: 'reject', reason_code: 'closed', hold: 'yes' });
  assert.equal(refused.status, 409);
  assert.ok((await refused.text()).includes(reviewer.staff.email));
  assert.equal((await other.post('/console/review/undo', { ids: id }, '/console/review')).status, 409);
  assert.equal(await statusOf(id), 'pending_review');
  await takesEffect(id, 'approved');
  assert.equal((await reviewer.post('/console/review/undo', { ids: id }, '/console/review')).status, 409);
});

test('a decision is not applied to a revision that came within its minute', async () => {
  const id = await submit({ external_ref: 'hurried' });
  await decide(reviewer, id, { decision: 'approve', hold: 'yes' });
  await submitBusiness(service, apiKey, { name: 'A Later Name', external_ref: 'hurried' });
  assert.ok((await (await other.get('/console/review')).text()).includes(id), 'it is back in the queue');
  await runTask(service, applyDecision, { submission_id: id });
  assert.equal(await statusOf(id), 'pending_review');
  await decide(reviewer, id, { decision: 'reject', revision: '2', reason_code: 'closed' });
});

test('the page of a decided submission keeps the comparison that the reviewer saw', async () => {
  const id = await submit({ name: 'Kopi Sebelum' });
  await decide(reviewer, id, { decision: 'approve' });
  const page = await (await other.get(`/console/review/${id}`)).text();
  assert.match(page, /<tr class="added">\s*<th scope="row">Name/);
});

test('a decision works without any script', { skip: noBrowser }, async () => {
  const staff = await addTestStaff(service, 'reviewer');
  const id = await submit();
  const { page } = await openBrowser(service.url, VIEWS[0], { script: false });
  await signInBrowser(page, service, staff);
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await page.locator(`a[href="/console/review/${id}"]`).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText(`${await nameOf(id)} is approved.`).waitFor();
});

test('of two reviewers who decide at once one wins, and the other is told who was first', async () => {
  const id = await submit();
  const answers = await Promise.all([
    decide(reviewer, id, { decision: 'approve' }),
    decide(other, id, { decision: 'reject', reason_code: 'closed', reason_text: '' }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
  const lost = answers.findIndex(({ status }) => status === 409);
  const text = (await answers[lost]?.text()) ?? '';
  const winner = [reviewer, other][1 - lost]?.staff.email ?? '';
  assert.match(text, /Your\s+decision was not recorded/);
  assert.ok(text.includes(winner), 'the other one is named');
  const decisions = await pool`select 1 from submission_decision where submission_id = ${id}`;
  assert.equal(decisions.length, 1);
});

test('a decision about a revision that was replaced is not recorded', async () => {
  const id = await submit({ external_ref: 'replaced' });
  await submitBusiness(service, apiKey, { name: 'Another Name', external_ref: 'replaced' });
  const response = await decide(reviewer, id, { decision: 'approved' });
  assert.equal(response.status, 409);
  assert.match(await response.text(), /revision 2 in the meantime/);
  assert.equal(await statusOf(id), 'pending_review');
});

test('an invalid decision is refused with the field at fault, and nothing changes', async () => {
  const id = await submit();
  for (const [fields, status] of [
    [{ decision: 'maybe' }, 422],
    [{ decision: 'approved', revision: 'one' }, 422],
    [{ decision: 'rejected' }, 422],
    [{ decision: 'rejected', reason_code: 'because' }, 422],
    [{ decision: 'rejected', reason_code: 'relationship_denied' }, 422],
  ] as const)
    assert.equal((await decide(reviewer, id, fields)).status, status, JSON.stringify(fields));
  assert.equal((await decide(reviewer, `sub_${'0'.repeat(26)}`, { decision: 'approved' })).status, 404);
  assert.equal((await decide(reviewer, 'sub_1', { decision: 'approved' })).status, 404);
  const forged = await reviewer.postRaw(`/console/review/${id}`, {
    decision: 'approved',
    revision: '1',
    csrf: 'x',
  });
  assert.equal(forged.status, 403);
  assert.equal(await statusOf(id), 'pending_review');
});

test('the queue is told by relationship and kind, and says what is late', async () => {
  const id = await submit({ relationship: 'owner', name: 'Owner Only' });
  const listed = async (query: string) => (await reviewer.get(`/console/review${query}`)).text();
  assert.ok((await listed('?relationship=owner')).includes(id));
  assert.ok(!(await listed('?relationship=authorized_agent')).includes(id));
  assert.ok(!(await listed('?kind=promo')).includes(id));
  assert.ok((await listed('?relationship=<script>&after=nonsense')).includes(id));
  service.clock.advance(4 * DAY_MS);
  const later = await signInStaff(service, 'reviewer');
  assert.match(await (await later.get('/console/review')).text(), /badge bad">late/);
  assert.match(await (await later.get('/console')).text(), /Past the expected time/);
});

test('hostile text from an agent is shown as text', { skip: noBrowser }, async () => {
  const staff = await addTestStaff(service, 'reviewer');
  const hostile = `"><script>document.title='owned'</script><img src=x onerror=alert(1)>`;
  const id = await submit({ name: hostile, description: hostile, address: hostile });
  const visit = await openBrowser(service.url, VIEWS[2]);
  await signInBrowser(visit.page, service, staff);
  for (const path of ['/console/review', `/console/review/${id}`]) {
    await visit.page.goto(service.url + path);
    assert.doesNotMatch(await visit.page.title(), /^owned/);
    assert.equal(await visit.page.locator('img[src="x"]').count(), 0);
  }
  assert.deepEqual(visit.faults, []);
});
