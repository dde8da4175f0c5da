import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { violatedConstraint } from '../../src/core/postgres/db.ts';
import { startTestService } from '../harness/service/service.ts';
import { signInStaff } from '../harness/people/staff.ts';
import { lastMessage } from '../harness/people/submissions.ts';
import { phonePhoto, smallPhoto } from './made-pictures.ts';
import { addPhotographer, sendApproved, sendPhoto, stateOf } from './photographer.ts';

const service = await startTestService();
const { pool } = service.database;
const photographer = await addPhotographer(service);
const reviewer = await signInStaff(service, 'reviewer');

test('a photographer sees the own photo without the watermark that everybody else sees', async () => {
  const photo = await sendApproved(service, photographer, await smallPhoto(907));
  const own = await photographer.member.get(`/photos/mine/${photo.id}/w480`);
  assert.equal(own.headers.get('content-type'), 'image/jpeg');
  const etag = own.headers.get('etag') ?? '';
  const again = await photographer.member.get(`/photos/mine/${photo.id}/w480`, { 'if-none-match': etag });
  assert.equal(again.status, 304);
  const pixelsOf = async (response: Response) =>
    sharp(Buffer.from(await response.arrayBuffer()))
      .resize(240, 160, { fit: 'fill' })
      // The corner with the watermark.
      .extract({ left: 200, top: 148, width: 36, height: 8 })
      .raw()
      .toBuffer();
  const full = await pixelsOf(await reviewer.get(`/console/photos/${photo.id}/full`));
  const difference = (pixels: Buffer) =>
    full.reduce((sum, value, at) => sum + Math.abs(value - (pixels[at] ?? 0)), 0) / full.length;
  const [clean, marked] = [
    difference(await pixelsOf(own)),
    difference(await pixelsOf(await service.request(`/photos/${photo.id}/w480`))),
  ];
  assert.ok(clean * 3 < marked, `${clean} without and ${marked} with the watermark`);
});

test('prices are suggested from those of five or more photos of others, nearby before everywhere', async () => {
  const photo = await sendApproved(service, photographer, await smallPhoto(908));
  const path = `/photos/mine/${photo.id}`;
  const page = async () => (await photographer.member.get(path)).text();
  const beforeUpload = async () => {
    const [row] = await pool<{ place: string }[]>`select place_id as place from photo where id = ${photo.id}`;
    return (await photographer.member.get(`/photos/mine/upload?place=${row?.place}`)).text();
  };
  for (const text of [await page(), await beforeUpload()]) {
    assert.match(text, /No price is suggested yet: that takes the prices of\s+5 photos/);
    assert.doesNotMatch(text, /suggested:/);
  }
  const other = await addPhotographer(service, 'Budi S.');
  for (const price of [200, 300, 400, 900, 1200]) {
    const priced = await sendApproved(service, other, await smallPhoto(100 + price));
    await pool`update photo set price_web = ${price} where id = ${priced.id}`;
  }
  assert.match(await page(), /Others nearby ask 3\.00 USD to 9\.00 USD; suggested: 4\.00 USD \(5 photos\)/);
  assert.match(
    await beforeUpload(),
    /Web.*Others nearby ask 3\.00 USD to 9\.00 USD; suggested: 4\.00 USD \(5 photos\)/s,
  );
  assert.match(await page(), /name="price_web"[^>]*value="4.00"/, 'filled in while there is no price');
  assert.doesNotMatch(await page(), /name="price_social"[^>]*value="\d/);
  await pool`update photo set price_web = 500 where id = ${photo.id}`;
  assert.match(await page(), /name="price_web"[^>]*value="5.00"/, 'a price of one’s own stays');
  await pool`update photo set price_web = null where member_id <> ${photo.member_id} and price_web = 200`;
  assert.doesNotMatch(await page(), /suggested:/, 'four photos are too few');
});

test('a photo is seen by nobody but its owner and staff until a person has approved it', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(1));
  const path = `/photos/${photo.id}/w480`;
  assert.equal((await service.request(path)).status, 404);
  assert.equal((await photographer.member.get(`/photos/mine/${photo.id}/w480`)).status, 200);
  assert.equal((await reviewer.get(`/console/photos/${photo.id}/w1080`)).status, 200);
  assert.equal((await reviewer.get(`/console/photos/${photo.id}/full`)).status, 200);
  const stranger = (await addPhotographer(service)).member;
  assert.equal((await stranger.get(`/photos/mine/${photo.id}/w480`)).status, 404);
  const seen = photo.updated_at.toISOString();
  const approved = await reviewer.post(`/console/photos/${photo.id}`, { decision: 'approved', seen });
  assert.equal(approved.status, 303);
  const shown = await service.request(path);
  assert.equal(shown.status, 200);
  assert.equal(shown.headers.get('tdm-reservation'), '1');
  assert.equal(shown.headers.get('tdm-policy'), 'https://waypost.example/photos/tdm-policy.json');
  assert.equal(shown.headers.get('cache-control'), 'public, max-age=300');
  assert.equal(shown.headers.get('content-type'), 'image/jpeg');
  const etag = shown.headers.get('etag') ?? '';
  assert.equal((await service.request(path, { headers: { 'if-none-match': etag } })).status, 304);
  const policy = (await (await service.request('/photos/tdm-policy.json')).json()) as object;
  assert.match(JSON.stringify(policy), /\/api\/agent\/photos\/license/);
  const [line] = await pool<{ actor: string; detail: object }[]>`
    select actor, detail from audit_log where operation = 'check_photo' and subject = ${photo.id}`;
  assert.equal(line?.actor, reviewer.staff.id);
  const mail = await lastMessage(service, 'photo_checked');
  assert.equal(mail?.to, photographer.member.email);
});

test('a refusal needs a reason, is told to the photographer, and is final', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(2));
  const path = `/console/photos/${photo.id}`;
  const seen = photo.updated_at.toISOString();
  const without = await reviewer.post(path, { decision: 'rejected', seen });
  assert.equal(without.status, 422);
  assert.equal(await stateOf(service, photo.id), 'to_check');
  assert.equal((await reviewer.post(path, { decision: 'rejected', reason: 'people', seen })).status, 303);
  assert.equal(await stateOf(service, photo.id), 'rejected');
  const own = await (await photographer.member.get(`/photos/mine/${photo.id}`)).text();
  assert.match(own, /person can be recognised/);
  const again = await reviewer.postRaw(path, {
    csrf: await reviewer.token('/console/photos'),
    decision: 'approved',
    seen,
  });
  assert.equal(again.status, 409);
  assert.equal(await stateOf(service, photo.id), 'rejected');
});

test('a caption that was written after the checker looked is not approved unseen', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(3));
  service.clock.advance(1000);
  const own = `/photos/mine/${photo.id}`;
  assert.equal((await photographer.member.post(`${own}/caption`, { caption: 'Another' }, own)).status, 303);
  const seen = photo.updated_at.toISOString();
  const late = await reviewer.post(`/console/photos/${photo.id}`, { decision: 'approved', seen });
  assert.equal(late.status, 409);
  assert.match(await late.text(), /changed the caption in the meantime/);
  assert.equal(await stateOf(service, photo.id), 'to_check');
});

test('of two checkers who decide at once, one decision is recorded', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(4));
  const other = await signInStaff(service, 'lead');
  const seen = photo.updated_at.toISOString();
  const path = `/console/photos/${photo.id}`;
  const answers = await Promise.all([
    reviewer.post(path, { decision: 'approved', seen }),
    other.post(path, { decision: 'rejected', reason: 'poor_quality', seen }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
  const [row] = await pool<{ checks: number }[]>`
    select count(*)::int as checks from photo_check where photo_id = ${photo.id}`;
  assert.equal(row?.checks, 1);
});

test('the desk may look and not decide, and nobody else gets in at all', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(5));
  const path = `/console/photos/${photo.id}`;
  const desk = await signInStaff(service, 'desk');
  assert.equal((await desk.get(path)).status, 200);
  const tried = await desk.post(path, { decision: 'approved', seen: photo.updated_at.toISOString() });
  assert.equal(tried.status, 403);
  assert.equal((await photographer.member.get(path, { accept: 'application/json' })).status, 401);
  assert.equal((await desk.get('/console/photos/payouts.csv')).status, 403);
  assert.equal(await stateOf(service, photo.id), 'to_check');
});

test('a photo that looks like another is shown beside it, whoever sent it and however it was scaled', async () => {
  const bytes = await phonePhoto(21, 'city');
  const first = await sendPhoto(service, photographer, bytes);
  const { default: sharp } = await import('sharp');
  const scaled = await sharp(bytes).autoOrient().resize(1000).jpeg({ quality: 60 }).toBuffer();
  const copied = await sendPhoto(service, await addPhotographer(service, 'Copy Cat'), scaled);
  const page = await (await reviewer.get(`/console/photos/${copied.id}`)).text();
  assert.match(page, /look like it/);
  assert.ok(page.includes(`/console/photos/${first.id}`));
  const alone = await sendPhoto(service, photographer, await phonePhoto(22, 'hills'));
  assert.match(
    await (await reviewer.get(`/console/photos/${alone.id}`)).text(),
    /No similar photos were found/,
  );
});

test('the database itself lets no photo be approved or live without a person', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(6));
  const refusedBy = async (work: Promise<unknown>) => {
    const thrown = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    return violatedConstraint(thrown);
  };
  assert.equal(
    await refusedBy(pool`update photo set state = 'approved' where id = ${photo.id}`),
    'photo_decided_by_person',
  );
  assert.equal(
    await refusedBy(pool`
      insert into photo_check (photo_id, decision, decided_at) values (${photo.id}, 'approved', now())`),
    'photo_check_by_person',
  );
  assert.equal(
    await refusedBy(pool`
      insert into photo_check (photo_id, decision, generated, decided_at) values (${photo.id}, 'approved', true, now())`),
    'photo_check_of_photo',
  );
});

test('after a complaint staff take a photo down, and it is gone from its place at once', async () => {
  const photo = await sendApproved(service, photographer, await smallPhoto(7));
  const path = `/console/photos/${photo.id}`;
  assert.equal((await reviewer.post(path, { decision: 'take_down' })).status, 303);
  assert.equal(await stateOf(service, photo.id), 'withdrawn');
  assert.equal((await service.request(`/photos/${photo.id}/w480`)).status, 404);
  const [place] = await pool<{ shown: string }[]>`
    select member_photos::text as shown from place where id = ${photographer.placeId}`;
  assert.ok(!place?.shown.includes(photo.id));
  const [line] =
    await pool`select 1 from audit_log where operation = 'take_down_photo' and subject = ${photo.id}`;
  assert.ok(line);
});
