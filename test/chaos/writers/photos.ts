import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { FormClient } from '../../harness/people/staff.ts';
import { codeIn } from '../../harness/people/submissions.ts';
import { Unknown } from '../client.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { signUp } from './agents.ts';

const PHOTOS_MAX = 5;
const PROCESSED_MS = 60_000;
const MAIL_MS = 30_000;
const TOPUP_CENTS = 2_000;
/** Above what any photo here costs. */
const PRICE_MAX_CENTS = 5_000;

let serial = 0;

/** Somebody joins by the code in a mail, sends photos, and offers those that a reviewer lets through. */
export async function photograph(world: World, random: Random): Promise<void> {
  const member = await join(world);
  const count = random.between(1, PHOTOS_MAX);
  for (let at = 0; at < count; at++) {
    const id = await upload(world, member, random);
    if (id !== undefined && (await approve(world, id))) await offer(world, member, id);
  }
}

async function join({ client, smtp, acknowledged }: World): Promise<FormClient> {
  const browser = client.browser();
  const email = `member-${++serial}@member.example`;
  const asked = await browser.post('/member/sign-in/email', { email }, '/member/sign-in');
  const attempt = /attempt=(msi_\w+)/.exec(asked.headers.get('location') ?? '')?.[1] ?? '';
  const code = await mailedCode(smtp, email);
  const page = `/member/sign-in?attempt=${attempt}`;
  const entered = await browser.post('/member/sign-in/code', { attempt, code }, page);
  if (entered.status !== 303) throw new Unknown(`the code of ${email} did not count`);
  const named = await browser.post('/member/sign-in/name', { display_name: 'Ayu P.' }, '/member/sign-in');
  if (named.status !== 303) throw new Unknown(`${email} got no name`);
  acknowledged.members.add(email);
  return browser;
}

async function mailedCode(smtp: World['smtp'], email: string): Promise<string> {
  const giveUpAt = performance.now() + MAIL_MS;
  while (performance.now() < giveUpAt) {
    const mail = smtp.mails.find(({ to }) => to.includes(email));
    if (mail !== undefined) return codeIn(mail.text.replaceAll('=\r\n', ''));
    await pause(100);
  }
  throw new Unknown(`no mail came to ${email}`);
}

/** The same file is sent until it has arrived: it is one photo, however often it comes. */
async function upload(world: World, member: FormClient, random: Random): Promise<string | undefined> {
  const { client, places, acknowledged } = world;
  const placeId = random.pick(places.photo) ?? '';
  const file = await picture();
  const csrf = await member.token(`/photos/mine/upload?place=${placeId}`);
  const cookie = [...member.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const form = new FormData();
  form.append('csrf', csrf);
  form.append('place_id', placeId);
  form.append('photos', new Blob([new Uint8Array(file)]), 'photo.jpg');
  const { status, text } = await client.repeat('/photos/mine/upload', {
    method: 'POST',
    headers: { accept: 'application/json', cookie },
    body: form,
  });
  if (status !== 201) return undefined;
  const [sent] = (JSON.parse(text) as { files: { photo_id?: string }[] }).files;
  if (sent?.photo_id !== undefined) acknowledged.photos.set(sent.photo_id, 'arrived');
  return sent?.photo_id;
}

/** A picture like no other, cheap to make and to look at. */
function picture(): Promise<Buffer> {
  const [width, height] = [12, 8];
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .resize(1200, 800)
    .jpeg()
    .toBuffer();
}

async function approve({ staff, acknowledged }: World, id: string): Promise<boolean> {
  const giveUpAt = performance.now() + PROCESSED_MS;
  let seen: string | undefined;
  while (seen === undefined && performance.now() < giveUpAt) {
    const page = await (await staff.get(`/console/photos/${id}`)).text();
    seen = /name="decision"/.test(page) ? /name="seen" value="([^"]+)"/.exec(page)?.[1] : undefined;
    await pause(500);
  }
  if (seen === undefined) return false;
  const { status } = await staff.post(`/console/photos/${id}`, { decision: 'approved', seen });
  if (status === 303) acknowledged.photos.set(id, 'approved');
  return status === 303;
}

async function offer({ acknowledged }: World, member: FormClient, id: string): Promise<void> {
  const path = `/photos/mine/${id}`;
  const prices = { price_social: '2', price_web: '3', price_ad: '', price_ai_training: '', drop_cap: '40' };
  const offered = await member.post(`${path}/offer`, prices, path);
  if (offered.status !== 303) return;
  acknowledged.photos.set(id, 'offered');
  const live = await member.post(`${path}/live`, {}, path);
  if (live.status === 303) acknowledged.photos.set(id, 'live');
}

/** An agent has its wallet filled and licenses photos from it. */
export async function buy(world: World, random: Random): Promise<void> {
  const { client, acknowledged } = world;
  const live = [...acknowledged.photos].filter(([, state]) => state === 'live').map(([id]) => id);
  if (live.length === 0) return;
  const { agentId, apiKey } = await signUp(world);
  await topUp(world, agentId, apiKey, random);
  const count = random.between(1, 6);
  for (let at = 0; at < count; at++) {
    const key = randomUUID();
    acknowledged.licenceKeys.add(key);
    const wanted = {
      photo_id: random.pick(live),
      use: random.chance(0.5) ? 'social' : 'web',
      max_price_cents: PRICE_MAX_CENTS,
      idempotency_key: key,
    };
    const { body, status } = await client.write('/api/agent/photos/license', wanted, {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': key,
    });
    if (status !== 201 && status !== 200) continue;
    const [photoId, cents] = [String(body['photo_id']), Number(body['price_cents'])];
    acknowledged.licences.set(String(body['license_id']), { agentId, photoId, cents });
  }
}

/** The agent asks, a person goes to the payment provider, and the provider tells of it until it is heard. */
async function topUp(world: World, agentId: string, apiKey: string, random: Random): Promise<void> {
  const { client, stripe, acknowledged } = world;
  const headers = { authorization: `Bearer ${apiKey}` };
  const { body, status, text } = await client.write(
    '/api/agent/photos/topup',
    { amount_cents: TOPUP_CENTS },
    headers,
  );
  if (status !== 201) throw new Error(`No top-up: ${status} ${text}`);
  const id = String(body['topup_id']);
  const paid = await client.browser().post(`/pay/${id}`, {});
  const session = stripe.sessions.find(({ form }) => form.get('client_reference_id') === id);
  if (paid.status !== 303 || session === undefined) throw new Unknown(`${id} was not paid`);
  const event = stripe.event('checkout.session.completed', stripe.sessionObject(session), new Date());
  const tellings = random.chance(0.3) ? 2 : 1;
  for (let at = 0; at < tellings; at++) {
    const told = await client.repeat('/webhooks/stripe', {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': event.signature },
      body: event.payload,
    });
    if (told.status !== 200) throw new Error(`The provider was not heard: ${told.status} ${told.text}`);
    acknowledged.payments.set(session.id, { agentId, cents: TOPUP_CENTS });
  }
}
