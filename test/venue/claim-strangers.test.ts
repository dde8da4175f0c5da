import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { sendClaimCode } from '../../src/venue/claim-code.ts';
import { contactKey } from '../../src/venue/contact.ts';
import { addVenue } from '../bookings/asking-partner.ts';
import { FormClient } from '../harness/people/staff.ts';
import { codeIn, lastMessage, codeMessage } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const { pool } = service.database;
let venues = 0;

interface Place {
  id: string;
  via: string;
  to: string;
}

/** A place that nobody has claimed, and where codes for it go. */
async function unclaimed(): Promise<Place> {
  const to = `venue-${(venues += 1)}@claimed.example`;
  const id = await addVenue(service, { name: `Warung Jauh ${venues}`, email: to });
  return { id, to, via: contactKey({ channel: 'mail', to }) };
}

/** A browser somewhere, in front of the page on which a place is claimed. */
class Visitor {
  readonly #client = new FormClient(service);
  readonly #address: string;
  readonly #place: Place;
  #csrf: string | undefined;

  constructor(address: string, place: Place) {
    this.#address = address;
    this.#place = place;
  }

  async ask(): Promise<string> {
    return (await this.#post('/code', {})).text();
  }

  async mailedCode(): Promise<string> {
    return codeIn((await lastMessage(service, 'claim_code', this.#place.to))?.text ?? '');
  }

  enter(code: string): Promise<Response> {
    return this.#post('', { code });
  }

  async #post(ending: string, fields: Record<string, string>): Promise<Response> {
    const page = `/venue/claim/${this.#place.id}`;
    const headers = { 'x-forwarded-for': this.#address };
    this.#csrf ??= await this.#client.token(page);
    const sent = { csrf: this.#csrf, via: this.#place.via, ...fields };
    return this.#client.postRaw(page + ending, sent, headers);
  }
}

/** One of a crowd, each with a browser of their own, asks for a code without looking at a page. */
async function askInCrowd(address: string, { id: placeId, to }: Place): Promise<string> {
  const asker = { address: addressGroup(address), browser: randomBytes(32) };
  const contact = { channel: 'mail', to } as const;
  const sent = await pool.begin((tx) =>
    sendClaimCode(service.app.deps, tx, { placeId, contact, asker }, codeMessage),
  );
  return sent.outcome;
}

function other(code: string): string {
  return code === '000000' ? '111111' : '000000';
}

async function isClaimed(id: string): Promise<boolean> {
  return (await pool`select from venue_claim where place_id = ${id}`).count === 1;
}

test('a claim code works only in the browser that asked for it, and its message says so', async () => {
  const place = await unclaimed();
  const venue = new Visitor('198.51.100.1', place);
  assert.match(await venue.ask(), /A code is on its way/);
  const code = await venue.mailedCode();
  const message = await lastMessage(service, 'claim_code', place.to);
  assert.match(message?.text ?? '', /once, for 10 minutes, and only in the browser that asked for it/);
  const thief = new Visitor('198.51.100.1', place);
  const refused = await thief.enter(code);
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /No code was requested in this browser/);
  assert.equal(await isClaimed(place.id), false);
  assert.equal((await venue.enter(code)).status, 303);
  assert.equal(await isClaimed(place.id), true);
});

test('a stranger who asks for codes and mistypes them neither spoils the code of the venue nor shuts it out', async () => {
  const place = await unclaimed();
  const venue = new Visitor('198.51.100.1', place);
  await venue.ask();
  const code = await venue.mailedCode();
  const stranger = new Visitor('203.0.113.9', place);
  assert.match(await stranger.ask(), /A code is on its way/, 'the minute of one is not that of another');
  for (let tries = 0; tries < 5; tries++) await stranger.enter(other(await stranger.mailedCode()));
  assert.match(await stranger.ask(), /Too many wrong codes were entered/);
  assert.match(
    await new Visitor('203.0.113.9', place).ask(),
    /Too many wrong codes/,
    'by another browser too',
  );
  assert.equal((await venue.enter(code)).status, 303);

  const again = await unclaimed();
  for (let asked = 0; asked < 7; asked++) await askInCrowd('203.0.113.9', again);
  assert.match(await new Visitor('203.0.113.9', again).ask(), /No more codes are sent to/);
  const late = new Visitor('198.51.100.1', again);
  assert.match(
    await late.ask(),
    /A code is on its way/,
    'what one address used up is not used up for others',
  );
});

test('a contact that many ask codes for gets ones that nobody can guess, and no more than thirty a day', async () => {
  const place = await unclaimed();
  const codes = [];
  for (let asked = 0; asked < 30; asked++) {
    const visitor = new Visitor(`203.0.113.${asked}`, place);
    // The first and the last with a code of each length do it on the page.
    if ([0, 5, 6, 29].includes(asked)) assert.match(await visitor.ask(), /A code is on its way/);
    else assert.equal(await askInCrowd(`203.0.113.${asked}`, place), 'sent');
    codes.push((await visitor.mailedCode()).replaceAll(' ', ''));
  }
  assert.ok(codes.every((code, i) => /^\d+$/.test(code) && code.length === (i < 6 ? 6 : 12)));
  assert.match(await new Visitor('198.51.100.7', place).ask(), /No more codes are sent to/);
  const last = new Visitor('203.0.113.29', await unclaimed());
  await last.ask();
  assert.equal((await last.enter(await last.mailedCode())).status, 303);
});

test('one address that asks without end uses up nothing but its own', async () => {
  const place = await unclaimed();
  await new Visitor('203.0.113.9', place).ask();
  for (let asked = 1; asked < 40; asked++) await askInCrowd('203.0.113.9', place);
  const venue = new Visitor('198.51.100.1', place);
  assert.match(await venue.ask(), /A code is on its way/);
  assert.equal((await venue.enter(await venue.mailedCode())).status, 303);
});

test('a venue gets codes where it entered one before, however many strangers used up those of the day', async () => {
  const place = await unclaimed();
  const venue = new Visitor('198.51.100.1', place);
  await venue.ask();
  assert.equal((await venue.enter(await venue.mailedCode())).status, 303);
  service.clock.advance(60 * DAY_MS);
  for (let asked = 0; asked < 30; asked++) await askInCrowd(`203.0.113.${asked}`, place);
  assert.match(await new Visitor('198.51.100.2', place).ask(), /No more codes are sent to/);
  const back = new Visitor('198.51.100.1', place);
  assert.match(await back.ask(), /A code is on its way/);
  assert.equal((await back.enter(await back.mailedCode())).status, 303);
  for (let asked = 1; asked < 6; asked++) await askInCrowd('198.51.100.1', place);
  assert.match(
    await new Visitor('198.51.100.1', place).ask(),
    /No more codes are sent to/,
    'it has an end there too',
  );
  service.clock.advance(91 * DAY_MS);
  for (let asked = 0; asked < 30; asked++) await askInCrowd(`203.0.113.${asked}`, place);
  assert.match(
    await new Visitor('198.51.100.1', place).ask(),
    /No more codes are sent to/,
    'it is forgotten',
  );
});
