import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser, openBrowser, VIEWS } from '../harness/browser/browser.ts';
import { addTestStaff, signInBrowser, submitBusiness } from '../harness/people/staff.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const SUBMISSIONS = 20;
const REJECTED = [4, 11];
/** Two keys open the queue, two the first submission, and two decide. */
const PRESSES = 2 + 2 + 2 * SUBMISSIONS;
/** The key of "Not enough detail". */
const REASON = '8';

test(`a reviewer decides ${SUBMISSIONS} submissions by keyboard alone`, { skip: noBrowser }, async () => {
  const service = await startTestService({ demoPlaces: 300 });
  const { pool } = service.app.deps;
  const { apiKey } = await signUpAgent(service);
  for (let nth = 0; nth < SUBMISSIONS; nth++) {
    await submitBusiness(service, apiKey, { name: `Warung Nomor ${nth}`, external_ref: `ref-${nth}` });
    service.clock.advance(60_000);
  }
  const visit = await openBrowser(service.url, VIEWS[2]);
  const { page } = visit;
  await signInBrowser(page, service, await addTestStaff(service, 'reviewer'));
  let presses = 0;
  const press = async (key: string) => {
    presses += 1;
    await page.keyboard.press(key);
  };

  await press('g');
  await press('q');
  await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
  await press('j');
  await press('Enter');
  for (let nth = 0; nth < SUBMISSIONS; nth++) {
    await page.getByRole('heading', { level: 1, name: `Warung Nomor ${nth}`, exact: true }).waitFor();
    if (REJECTED.includes(nth)) {
      await press('r');
      await press(REASON);
    } else {
      await press('a');
      await press('Enter');
    }
    const decided = REJECTED.includes(nth) ? 'rejected' : 'approved';
    await page.getByText(`Warung Nomor ${nth} is ${decided}.`).waitFor();
  }
  assert.equal(presses, PRESSES);
  await page.getByText('Nothing is waiting').waitFor();
  assert.deepEqual(visit.faults, []);

  await passTime(service, 61_000);
  await until('all decisions have taken effect', async () => {
    const rows = await pool<{ name: string; status: string; reason: string | null }[]>`
      select r.content->>'name' as name, s.status, d.reason_code as reason from submission s
      join submission_revision r on r.submission_id = s.id
      left join submission_decision d on d.submission_id = s.id`;
    const rejected = rows
      .filter(({ status, reason }) => status === 'rejected' && reason === 'insufficient_detail')
      .map(({ name }) => name);
    const approved = rows.filter(({ status }) => status === 'approved');
    return (
      approved.length === SUBMISSIONS - REJECTED.length &&
      rejected.toSorted().join() ===
        REJECTED.map((nth) => `Warung Nomor ${nth}`)
          .toSorted()
          .join()
    );
  });
});
