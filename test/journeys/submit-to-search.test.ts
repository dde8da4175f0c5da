import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { noBrowser, openBrowser, VIEWS } from '../harness/browser/browser.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { passTime } from '../harness/service/jobs.ts';
import { addTestStaff, signInBrowser, submitBusiness } from '../harness/people/staff.ts';

const service = await startTestService({ demoPlaces: 3000 });
const NAME = 'Warung Bintang Zefiranda';

interface Found {
  places: { place_id: string; name: string }[];
}

test(
  'an agent signs up and submits, nobody sees it, a person approves it in a browser, and search returns it',
  { skip: noBrowser },
  async (t) => {
    const { agentId, apiKey } = await signUpAgent(service);
    // Looking again and again costs reads, and how many depends on the machine.
    await service.database.pool`update agent set plan = 'scale' where id = ${agentId}`;
    const headers = { authorization: `Bearer ${apiKey}` };
    const search = async (text = NAME) => {
      const path = `/api/agent/search?q=${encodeURIComponent(text)}&limit=5`;
      const { places } = (await (await service.request(path, { headers })).json()) as Found;
      return places.find(({ name }) => name === NAME);
    };
    const submissionId = await submitBusiness(service, apiKey, { name: NAME, external_ref: 'bintang' });
    const listed = (await (await service.request('/api/agent/submissions', { headers })).json()) as {
      items: { submission_id: string; status: string; place_id: string | null }[];
    };
    const [item] = listed.items;
    assert.deepEqual(
      [item?.submission_id, item?.status, item?.place_id],
      [submissionId, 'pending_review', null],
    );
    assert.equal(await search(), undefined, 'invisible to search');
    const shown = await service.request(`/d/bali?q=${encodeURIComponent(NAME)}`);
    assert.doesNotMatch(await shown.text(), new RegExp(`href="/p/[^>]*>\\s*(<bdi>)?${NAME}`), 'nor on pages');

    const { page } = await openBrowser(service.url, VIEWS[2]);
    await signInBrowser(page, service, await addTestStaff(service, 'reviewer'));
    await page.goto(`${service.url}/console/review/${submissionId}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('You can undo this').waitFor();
    assert.equal(await search(), undefined, 'the decision can still be undone');
    const clicked = performance.now();
    await passTime(service, 60_000);
    let found = await search();
    while (found === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      found = await search();
    }
    const elapsed = Math.round(performance.now() - clicked);
    t.diagnostic(`${elapsed} ms from the end of the minute to the search result`);
    // Its new word is known at once, not only when the next index is built.
    for (const text of ['zefirand', 'zefirnada', 'warung zefiramda']) assert.ok(await search(text), text);
    const listing = await service.request(`/p/${found.place_id}`, { headers: { accept: 'text/html' } });
    assert.equal(listing.status, 200);
    assert.ok((await listing.text()).includes(NAME));
  },
);
