import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../harness/clients/call-tool.ts';
import { startTestService } from '../harness/service/service.ts';
import { addReviewer, approve, SubmittingAgent } from '../harness/people/submissions.ts';
import type { Answer } from './check-facts.ts';
import { DAY_MS } from '../../src/core/time.ts';

const service = await startTestService({ demoPlaces: 3000 });
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);

const ask = (question: string) =>
  callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', { question, destination: 'bali' });

async function promote(
  submission_id: string,
  title: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await agent.post<{ promo_id: string; revision: number }>('/api/agent/promo', {
    title,
    submission_id,
    ...more,
  });
  assert.equal(status, 201, JSON.stringify(body));
  await approve(service, staffId, { id: body.promo_id, revision: body.revision });
  return body.promo_id;
}

test('promotions stand beside an answer only while they run and only for places in it', async () => {
  const near = await agent.business({
    name: 'Karaoke Bintang Timur',
    vertical: 'nightclub',
    description: 'A karaoke bar.',
  });
  const far = await agent.business({ name: 'Toko Buku Senja Utara', vertical: 'shop' });
  await approve(service, staffId, near);
  await approve(service, staffId, far);
  const inTime = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS).toISOString();
  const running = await promote(near.id, 'Two for one until Sunday', { ends_at: inTime(1) });
  await promote(near.id, 'Next month', { starts_at: inTime(20), ends_at: inTime(30) });
  await promote(far.id, 'Books at half price', { ends_at: inTime(5) });
  const pending = await agent.post<{ promo_id: string }>('/api/agent/promo', {
    title: 'Not looked at yet',
    submission_id: near.id,
  });
  assert.equal(pending.status, 201);
  await service.app.deps.places.follow();

  const asked = 'Is Karaoke Bintang Timur open now?';
  const answer = await ask(asked);
  assert.deepEqual(
    answer.promotions.map(({ promo_id, title }) => ({ promo_id, title })),
    [{ promo_id: running, title: 'Two for one until Sunday' }],
  );
  assert.equal(answer.promotions[0]?.place_id, answer.places[0]?.place_id);
  assert.match(answer.answer, /Current promotions come with this answer/);
  assert.doesNotMatch(answer.answer, /Two for one/);
  assert.deepEqual((await ask('hotels')).promotions, []);

  const deals = await ask('any nightclub deals?');
  assert.ok(
    deals.places.some(({ name }) => name === 'Karaoke Bintang Timur'),
    deals.answer,
  );
  assert.equal(deals.promotions.length, 1);

  service.clock.advance(2 * DAY_MS);
  assert.deepEqual((await ask(asked)).promotions, []);
  assert.match((await ask('any nightclub deals?')).answer, /No current promotion is recorded/);
});
