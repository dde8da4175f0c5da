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
    await page.getByText(`${first} is approved.`).waitFor();
    assert.equal(await statusOf(first), 'approved');

    await page.goto(`${service.url}/console/review/${second}`);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Choose the reason: the agent').waitFor();
    assert.equal(await statusOf(second), 'pending_review', 'a rejection without a reason is none');
    await screenshot(page, `console reason missing ${view.name}`);
    await page.getByLabel('Reason').selectOption('insufficient_detail');
    await page.getByLabel('In your words').fill('Which of the two streets is it?');
    await page.getByLabel('What they can do about it').fill('Add the house number.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText(`${second} is rejected.`).waitFor();
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
  await page.getByText(`${id} is approved.`).waitFor();
  assert.equal(await statusOf(id), 'approved');
});

test('a decision works without any script', { skip: noBrowser }, async () => {
  const staff = await addTestStaff(service, 'reviewer');
  const id = await submit();
  const { page } = await openBrowser(service.url, VIEWS[0], { script: false });
  await signInBrowser(page, service, staff);
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await page.locator(`a[href="/console/review/${id}"]`).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText(`${id} is approved.`).waitFor();
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

test('what is not a decision is refused with the field at fault, and nothing changes', async () => {
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
