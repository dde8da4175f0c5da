import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  TWO_LOOKS,
} from '../../../harness/browser/browser.ts';
import { signUpAgent } from '../../../harness/service/service.ts';
import { sharedService } from '../../../harness/service/shared-service.ts';
import { addTestStaff, signInBrowser, signInStaff, submitBusiness } from '../../../harness/people/staff.ts';
import { lastMessage } from '../../../harness/people/submissions.ts';

const service = await sharedService({ demoPlaces: 300 });
const { pool } = service.app.deps;
const { apiKey } = await signUpAgent(service);
const reviewer = await signInStaff(service, 'reviewer');
const desk = await signInStaff(service, 'desk');

async function approved(fields: Record<string, unknown>): Promise<string> {
  const id = await submitBusiness(service, apiKey, fields);
  const done = await reviewer.post(`/console/review/${id}`, { decision: 'approved', revision: '1' });
  assert.equal(done.status, 303);
  return id;
}

/** Returns the notice to which an action of the desk leads. */
async function noticeAfter(done: Response): Promise<string> {
  assert.equal(done.status, 303);
  const page = await (await desk.get(done.headers.get('location') ?? '')).text();
  return /<div class="outcome good".*?<\/div>/s.exec(page)?.[0].replaceAll(/<[^>]*>|\s+/g, ' ') ?? '';
}

async function standing(id: string): Promise<{ place_id: string | null; live_blocked_by: string | null }> {
  const [row] = await pool<{ place_id: string | null; live_blocked_by: string | null }[]>`
    select place_id, live_blocked_by from submission where id = ${id}`;
  assert.ok(row);
  return row;
}

test('a business that can only be asked by phone goes live when the desk heard a yes, once', async () => {
  const id = await approved({ relationship: 'authorized_agent', name: 'Rumah Tanpa Telepon' });
  assert.deepEqual(await standing(id), { place_id: null, live_blocked_by: 'business_confirmation' });
  const say = (answer: string) => desk.post(`/console/desk/${id}/answer`, { answer }, '/console/desk');
  assert.equal((await say('perhaps')).status, 422);
  const notice = await noticeAfter(await say('yes'));
  assert.match(notice, /Rumah Tanpa Telepon *: *The business said yes: its listing is live/);
  const { place_id, live_blocked_by } = await standing(id);
  assert.ok(place_id);
  assert.equal(live_blocked_by, null);
  assert.equal((await say('no')).status, 409, 'the first answer stands');
  const [line] =
    await pool`select actor from audit_log where operation = 'confirm_business' and subject = ${id}`;
  assert.equal(line?.['actor'], desk.staff.id);
});

test('an owner without a published contact is invited where the desk found the venue', async () => {
  const id = await approved({ relationship: 'owner', name: 'Warung Tanpa Alamat' });
  const { place_id } = await standing(id);
  const send = (fields: Record<string, string>) =>
    desk.post(`/console/desk/${place_id ?? ''}/contact`, fields, '/console/desk');
  const right = { channel: 'mail', to: 'hello@warung.example', found_at: 'https://warung.example/contact' };
  for (const wrong of [
    { to: 'nobody' },
    { to: '' },
    { channel: 'pigeon' },
    { found_at: '' },
    { channel: 'sms' },
  ])
    assert.equal((await send({ ...right, ...wrong })).status, 422, JSON.stringify(wrong));
  const notice = await noticeAfter(await send(right));
  assert.match(notice, /Warung Tanpa Alamat *: *The invitation is on its way/);
  const outbox = await desk.get(`/console/outbox?format=json&to=${encodeURIComponent(right.to)}`);
  assert.match(outbox.headers.get('content-type') ?? '', /^application\/json/);
  const { messages } = (await outbox.json()) as { messages: { purpose: string; state: string }[] };
  assert.deepEqual([messages.length, messages[0]?.state], [1, 'outbox']);
  assert.equal(messages[0]?.purpose, 'claim_invitation');
  const invitation = await lastMessage(service, 'claim_invitation', right.to);
  assert.match(invitation?.text ?? '', new RegExp(`/venue/claim/${place_id ?? ''}`));
  assert.equal((await send(right)).status, 409, 'it is done');
});

test('an invitation that cannot be sent yet leaves the task on the desk', async () => {
  const id = await approved({ relationship: 'owner', name: 'Warung Dua Kali' });
  const { place_id } = await standing(id);
  const fields = { channel: 'mail', to: 'twice@warung.example', found_at: 'https://twice.example/contact' };
  const send = () => desk.post(`/console/desk/${place_id ?? ''}/contact`, fields, '/console/desk');
  assert.equal((await send()).status, 303);
  await pool`update desk_task set done_at = null, done_by = null, note = null where submission_id = ${id}`;
  assert.equal((await send()).status, 429);
  const [task] = await pool`select done_at from desk_task where submission_id = ${id}`;
  assert.equal(task?.['done_at'], null);
  const lines = await pool`
    select from audit_log where operation = 'vouch_for_contact' and subject = ${place_id} and actor = ${desk.staff.id}`;
  assert.equal(lines.length, 1);
});

for (const view of TWO_LOOKS) {
  test(`desk and outbox with something in them are sound on ${view.name}`, { skip: noBrowser }, async () => {
    await approved({ relationship: 'authorized_agent', name: `Rumah ${view.name}` });
    await approved({ relationship: 'owner', name: `Warung ${view.name}` });
    const visit = await openBrowser(service.url, view);
    await signInBrowser(visit.page, service, await addTestStaff(service, 'lead'));
    for (const name of ['desk', 'outbox']) {
      await visit.page.goto(`${service.url}/console/${name}`);
      await assertSoundPage(visit);
      await screenshot(visit.page, `console ${name} filled ${view.name}`);
    }
    await visit.page.getByRole('button', { name: 'Open, to pass it on' }).first().click();
    await visit.page.getByText('It is for them alone').waitFor();
    await assertSoundPage(visit);
    await screenshot(visit.page, `console message opened ${view.name}`);
  });
}
