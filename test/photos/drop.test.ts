import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violatedConstraint } from '../../src/core/postgres/db.ts';
import type { Photo } from '../../src/photos/photo.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { smallPhoto } from './made-pictures.ts';
import { addPhotographer, sendApproved, sendPhoto, stateOf } from './photographer.ts';
import { HOUR_MS } from '../../src/core/time.ts';

const service = await startTestService();
const { pool } = service.database;
const photographer = await addPhotographer(service);
const { member } = photographer;

const PRICES = {
  price_social: '5',
  price_web: '9,00',
  price_ad: '25.00',
  price_ai_training: '',
  drop_cap: '3',
};

/** One of theirs that was approved; how it came to that matters to other tests. */
function addApproved(): Promise<string> {
  const { placeId } = photographer;
  return addMadePhoto(pool, service.clock, {
    memberId: member.memberId,
    placeId,
    prices: {},
    state: 'approved',
  });
}

async function offer(id: string, fields: Record<string, string>): Promise<Response> {
  return member.post(`/photos/mine/${id}/offer`, fields, `/photos/mine/${id}`);
}

async function live(id: string): Promise<Response> {
  return member.post(`/photos/mine/${id}/live`, {}, `/photos/mine/${id}`);
}

async function read(id: string): Promise<Photo> {
  const [photo] = await pool<Photo[]>`select * from photo where id = ${id}`;
  assert.ok(photo);
  return photo;
}

test('the photographer prices each use in cents and starts a drop of 72 hours; nothing goes live by itself', async () => {
  const { id } = await sendApproved(service, photographer, await smallPhoto(1));
  assert.equal(await stateOf(service, id), 'approved');
  const early = await live(id);
  assert.equal(early.status, 409);
  assert.match(await early.text(), /Set a price/);
  assert.equal((await offer(id, PRICES)).status, 303);
  assert.equal((await live(id)).status, 303);
  const photo = await read(id);
  assert.equal(photo.state, 'live');
  assert.deepEqual(
    [
      photo.price_social,
      photo.price_web,
      photo.price_ad,
      photo.price_ai_training,
      photo.drop_cap,
      photo.sold,
    ],
    [500, 900, 2500, null, 3, 0],
  );
  assert.equal((photo.ends_at?.getTime() ?? 0) - (photo.live_at?.getTime() ?? 0), 72 * HOUR_MS);
});

test('AI training is off until it is switched on, and then it needs a price', async () => {
  const id = await addApproved();
  await offer(id, { ...PRICES, price_ai_training: '7.00' });
  assert.equal((await read(id)).price_ai_training, null, 'a price alone does not switch it on');
  const priceless = await offer(id, { ...PRICES, ai_training: 'on' });
  assert.equal(priceless.status, 422);
  assert.equal((await offer(id, { ...PRICES, ai_training: 'on', price_ai_training: '7.00' })).status, 303);
  assert.equal((await read(id)).price_ai_training, 700);
});

test('prices that are none, and drops that are too large, are refused field by field and nothing changes', async () => {
  const id = await addApproved();
  for (const [name, value] of [
    ['price_web', '0'],
    ['price_web', '-5'],
    ['price_web', '9.999'],
    ['price_web', '1,000'],
    ['price_web', '$5'],
    ['price_social', '50.01'],
    ['price_ad', 'free'],
    ['drop_cap', '0'],
    ['drop_cap', '101'],
    ['drop_cap', ''],
  ] as const) {
    const refused = await offer(id, { ...PRICES, [name]: value });
    assert.equal(refused.status, 422, `${name} ${value}`);
    const page = await refused.text();
    assert.match(page, new RegExp(`id="offer_photo-${name}-fault"`));
    assert.ok(page.includes(`value="${value}"`), 'what was typed stays');
    if (name.startsWith('price'))
      assert.match(page, /This must be a sum in US dollars from 0\.01 to 50\.00, such as 5 or 5\.00/);
  }
  assert.equal((await read(id)).price_web, null);
});

test('while a drop runs its prices stand still, for the page and for the database', async () => {
  const id = await addApproved();
  await offer(id, PRICES);
  await live(id);
  const changed = await offer(id, { ...PRICES, price_web: '1' });
  assert.equal(changed.status, 409);
  assert.equal((await read(id)).price_web, 900);
  assert.equal((await live(id)).status, 409);
  for (const work of [
    pool`update photo set price_web = 100 where id = ${id}`,
    pool`update photo set drop_cap = 100 where id = ${id}`,
    pool`update photo set ends_at = ends_at + interval '1 day' where id = ${id}`,
  ]) {
    const thrown = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.equal(violatedConstraint(thrown), 'photo_drop_fixed_while_live');
  }
  await pool`update photo set sold = sold + 1, version = version + 1 where id = ${id}`;
  const shown = await (await member.get(`/photos/mine/${id}`)).text();
  assert.match(shown, /Price now.*Web.*9\.90 USD.*9\.00 USD.*10\.89 USD/s, 'now, at first, after one more');
  assert.match(await (await member.get('/photos/mine')).text(), /1 of 3 sold, now from 5\.50 USD/);
  const over = await pool`update photo set sold = 4 where id = ${id}`.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.equal(violatedConstraint(over), 'photo_sold_within_cap');
});

test('a drop ends by itself after 72 hours, and another may follow, with new prices and counted anew', async () => {
  const id = await addApproved();
  await offer(id, PRICES);
  await live(id);
  await pool`update photo set sold = 2 where id = ${id}`;
  await passTime(service, 72 * HOUR_MS + 1000);
  await until('the end of the drop', async () =>
    (await stateOf(service, id)) === 'ended' ? true : undefined,
  );
  assert.equal((await offer(id, { ...PRICES, price_web: '4', drop_cap: '1' })).status, 303);
  assert.equal((await live(id)).status, 303);
  const photo = await read(id);
  assert.deepEqual([photo.price_web, photo.sold, photo.drop_cap, photo.drop_number], [400, 0, 1, 2]);
});

test('only an approved photo goes live, and only its owner does anything with it', async () => {
  const waiting = await sendPhoto(service, photographer, await smallPhoto(6));
  await offer(waiting.id, PRICES);
  const early = await member.postRaw(`/photos/mine/${waiting.id}/live`, {
    csrf: await member.token('/photos/mine/upload'),
  });
  assert.notEqual(early.status, 303);
  const stranger = (await addPhotographer(service)).member;
  const csrf = async () => stranger.token(`/photos/mine/upload?place=${photographer.placeId}`);
  for (const action of ['offer', 'live', 'caption', 'withdraw']) {
    const tried = await stranger.postRaw(`/photos/mine/${waiting.id}/${action}`, {
      csrf: await csrf(),
      ...PRICES,
    });
    assert.equal(tried.status, 404, action);
  }
  assert.equal((await stranger.get(`/photos/mine/${waiting.id}`)).status, 404);
  assert.equal(await stateOf(service, waiting.id), 'to_check');
});

test('a photo that is taken back is shown and sold nowhere, and its files go if nobody could have licensed it', async () => {
  const { id } = await sendApproved(service, photographer, await smallPhoto(7));
  const path = `/photos/${id}/w480`;
  assert.equal((await service.request(path)).status, 200);
  assert.equal((await member.post(`/photos/mine/${id}/withdraw`, {}, `/photos/mine/${id}`)).status, 303);
  assert.equal((await service.request(path)).status, 404);
  const { deleteUnusedFiles } = await import('../../src/photos/delete-files.ts');
  const { licensedFileOf } = await import('../../src/photos/photo-storage.ts');
  await deleteUnusedFiles(service.app.deps);
  assert.equal(await service.app.deps.photoStorage.get(licensedFileOf(id)), undefined);
  assert.equal((await read(id)).has_files, false);
  const again = await member.postRaw(`/photos/mine/${id}/withdraw`, {
    csrf: await member.token('/photos/mine/upload'),
  });
  assert.notEqual(again.status, 303);
});

test('each step of a photographer leaves one line in the audit log, and one that was refused leaves none', async () => {
  const { id } = await sendPhoto(service, photographer, await smallPhoto(31));
  const path = `/photos/mine/${id}`;
  await member.post(`${path}/caption`, { caption: 'A secret beach' }, path);
  assert.equal((await live(id)).status, 409);
  assert.equal((await offer(id, { ...PRICES, drop_cap: '0' })).status, 422);
  const approved = await sendApproved(service, photographer, await smallPhoto(32));
  await offer(approved.id, PRICES);
  await live(approved.id);
  assert.equal((await offer(approved.id, PRICES)).status, 409);
  await member.post(`/photos/mine/${approved.id}/withdraw`, {}, `/photos/mine/${approved.id}`);
  const lines = await pool<{ operation: string; subject: string; detail: object }[]>`
    select operation, subject, detail from audit_log
    where actor = ${member.memberId} and subject in (${id}, ${approved.id}) order by sequence`;
  const prices = { social_cents: 500, web_cents: 900, ad_cents: 2500, ai_training_cents: null };
  assert.deepEqual(
    [...lines],
    [
      { operation: 'caption_photo', subject: id, detail: {} },
      { operation: 'offer_photo', subject: approved.id, detail: { ...prices, drop_cap: 3 } },
      { operation: 'start_drop', subject: approved.id, detail: { drop_number: 1, drop_cap: 3 } },
      { operation: 'withdraw_photo', subject: approved.id, detail: {} },
    ],
  );
});
