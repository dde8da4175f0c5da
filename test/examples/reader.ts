import assert from 'node:assert/strict';
import { enqueueDemoPhotos } from '../../src/demo/photos/demo-photos.ts';
import { MINUTE_MS } from '../../src/core/time.ts';
import { licensedFileOf, previewFileOf } from '../../src/photos/photo-storage.ts';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../bookings/asking-partner.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { until } from '../harness/service/jobs.ts';
import { freePort } from '../harness/service/program.ts';
import { startTestService } from '../harness/service/service.ts';
import { venueSays } from '../harness/service/venue-answer.ts';
import { LONG } from '../harness/tier.ts';
import { FormClient } from '../harness/people/staff.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { flat } from '../photos/made-pictures.ts';
import { ReadersShell, type Pasted } from './shell.ts';

const receiver = await startReceiver();
const port = String(await freePort());
/** Where the receivers of the documents listen. */
export const receiverPort = String(await freePort());
export const base = `http://localhost:${port}`;

/** The demonstration, with the Reserve button switched on, because a document is about it. */
export const service = await startTestService({
  demoPlaces: 3_000,
  settings: {
    PORT: port,
    BASE_URL: base,
    PARTNER_URL: base,
    RESERVE: 'on',
    EGRESS_ALLOW: `${receiver.pair},127.0.0.1:${receiverPort}`,
  },
});
// Ten in the morning where the venues are: nobody is asked at night.
service.clock.advance(14 * 60 * MINUTE_MS);
if (LONG) await enqueueDemoPhotos(service.database.pool);
else await addPhotosInBali();
// Every request is a question of its own, as a venue can set it: one after the other they would be gathered.
await service.database.pool`update place set batch_minutes = 0 where booking_method = 'request'`;

export const shell = new ReadersShell({
  DATABASE_URL: service.database.url,
  DATA_DIR: service.app.deps.config.dataDir,
});

interface Told {
  error?: unknown;
  result?: { isError?: boolean };
}

/** Pastes a script, whose calls must all be answered well; gives what it printed. */
export async function paste(where: string, script: string, folder?: string): Promise<Pasted> {
  // Some surfaces let a caller without a key ask a dozen times a minute.
  service.clock.advance(MINUTE_MS);
  const pasted = await shell.paste(script.replaceAll(/http:\/\/localhost:3[09]{3}\b/g, base), folder);
  const { out, error, code, statuses } = pasted;
  const said = `${where}\n${script}\n${out.slice(0, 2_000)}\n${error}`;
  assert.equal(code, 0, said);
  assert.ok(
    statuses.every((status) => status >= 200 && status < 300),
    said,
  );
  if (/^\{/.test(out)) {
    const told = JSON.parse(out) as Told;
    assert.ok(told.error === undefined && told.result?.isError !== true, said);
  }
  return pasted;
}

/** To draw those of the demonstration takes longer than all the examples. */
async function addPhotosInBali(): Promise<void> {
  const { photoStorage, pool } = service.app.deps;
  const file = await flat(1200, 800).jpeg().toBuffer();
  const prices = { social: 300, web: 600, ad: 1_500, ai_training: 900 };
  const places = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = 'bali' and p.closed_at is null order by p.review_count desc, p.id limit 3`;
  for (const { id: placeId } of places) {
    const photoId = await addMadePhoto(pool, service.clock, { placeId, prices, file });
    for (const key of [licensedFileOf(photoId), previewFileOf(photoId, 480), previewFileOf(photoId, 1080)])
      await photoStorage.put(key, file, 'image/jpeg');
  }
}

/** Waits for the first picture of the demonstration, which a job draws. */
export function untilPhotos(): Promise<unknown> {
  return until('a photo is on offer', async () => {
    const [photo] = await service.database.pool`
      select 1 from photo where state = 'live' and price_web <= 1000`;
    return photo !== undefined;
  });
}

/** Opens the page at which a person pays, and pays. */
export async function pay(topUp: string): Promise<void> {
  const { checkout_url: page } = JSON.parse(topUp) as { checkout_url: string };
  const response = await new FormClient(service).post(new URL(page).pathname, {});
  assert.ok(response.status < 400, page);
}

let partner: AskingPartner | undefined;

/** A new partner who has signed in and whose requests somebody switched on, and where it receives webhooks. */
export async function partnersOwn(): Promise<Record<string, string>> {
  partner = await AskingPartner.add(service);
  return { PARTNER_KEY: partner.partner.apiKey, WEBHOOK_URL: `${receiver.url}/hooks` };
}

/** Answers for the venue of a booking, by the link that lies in the outbox. */
export async function offerAnotherTable(bookingId: string, date: string): Promise<void> {
  assert.ok(partner);
  await partner.untilStatus(bookingId, 'asking');
  const link = await Promise.any([
    linkInOutbox(service, bookingId, 'mail'),
    linkInOutbox(service, bookingId, 'sms'),
  ]);
  await tap(service, link, { answer: 'offer', offer_date: date, offer_time: '20:15' });
  await partner.untilStatus(bookingId, 'offered');
}

/** Requests another table, and says yes for its venue. */
export async function confirmedTable(date: string): Promise<string> {
  assert.ok(partner);
  const venue = await addVenue(service, { phone: '+62361555777', gather: 0 });
  const bookingId = await partner.request(venue, { date });
  const { revision } = await partner.untilStatus(bookingId, 'asking');
  await venueSays(service.app.deps, { bookingId, revision, answer: 'yes', actor: 'venue' });
  await partner.untilStatus(bookingId, 'confirmed');
  return bookingId;
}
