import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedService } from '../harness/service/shared-service.ts';
import { beginTransaction } from '../harness/service/database.ts';
import { addReviewer, approve, SubmittingAgent } from '../harness/people/submissions.ts';

const service = await sharedService();
const { deps } = service.app;

test('every approved place is found, also while a transaction that was there before stays open', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const staffId = await addReviewer(service);
  // The node reads all again that was written since the oldest open transaction began.
  const held = await beginTransaction(deps.pool);
  await held`select pg_current_xact_id()`;
  for (let place = 0; place < 25; place++) {
    const name = `Fjordkroa Nummer ${place} Spisested`;
    const sent = await agent.business({ name, country: 'NO', city: 'Nesbyen' });
    await approve(service, staffId, sent, { placeId: 'new' });
    await deps.places.follow();
    const { hits } = deps.places.search({ text: name, limit: 5 });
    assert.ok(
      hits.some(({ place }) => place.readCard().name.includes(name)),
      name,
    );
  }
  await held`commit`;
  held.release();
  assert.deepEqual(
    service.logged.filter(({ msg }) => String(msg).includes('could not apply the changes')),
    [],
  );
});
