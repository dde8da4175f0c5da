import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { beforeEach, describe, test } from 'node:test';
import { noCertificates } from '../../harness/service/https-server.ts';
import { openAskedSystem } from './asked-system.ts';

/** An address at which a server was, and is no more. */
async function nobodyListens(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

describe("unclear answers of the venue's own system", { skip: noCertificates }, async () => {
  const { venue, deps, set, reset, made, ask, tell, poll } = await openAskedSystem();
  beforeEach(reset);

  const answering = (status: number) => {
    venue.instead = (_name, response) => {
      response.writeHead(status).end('stack trace of the venue');
      return true;
    };
  };

  test('a failure that cannot have made a table leads to the next channel', async () => {
    venue.status = 'FAILED';
    assert.equal((await ask()).outcome, 'failed');
    venue.refuse = 'CAUSE_UNSPECIFIED';
    assert.equal((await ask()).outcome, 'failed');
    for (const status of [400, 401, 403, 404, 422]) {
      answering(status);
      assert.equal((await ask()).outcome, 'failed', String(status));
    }
    const pair = await nobodyListens();
    const before = deps.egress;
    deps.egress = { allow: [pair] };
    await set({ baseUrl: `https://${pair}` });
    assert.equal((await ask()).outcome, 'failed');
    deps.egress = before;
  });

  test('a failure that may have made a table leaves the outcome unknown', async () => {
    for (const status of [500, 503, 504, 202, 408, 409, 429]) {
      answering(status);
      assert.equal((await ask()).outcome, 'unknown', String(status));
    }
    assert.deepEqual(await ask(), { outcome: 'unknown', detail: "The venue's system answered 429." });
    venue.behave();
    venue.status = 'A_STATUS_OF_TOMORROW';
    assert.equal((await ask()).outcome, 'pending');
  });

  test('after an attempt that may have come through, a refusal or a switched-off system settles nothing', async () => {
    for (const cause of ['SLOT_ALREADY_BOOKED_BY_USER', 'OVERLAPPING_RESERVATION']) {
      venue.refuse = cause;
      assert.equal((await ask({ again: true })).outcome, 'unknown');
    }
    answering(401);
    assert.equal((await ask({ again: true })).outcome, 'unknown');
    await set({ enabled: false });
    assert.equal((await ask({ again: true })).outcome, 'unknown');
    assert.equal((await poll({ ref: 'venue-1' }))?.outcome, 'unknown');
  });

  test('a system that lists nothing is asked again under the same token, and then for the status', async () => {
    const lists = (name: string) => name === 'ListBookings';
    venue.instead = (name, response) => lists(name) && Boolean(response.writeHead(404).end());
    const { booking, idempotencyToken } = made();
    const first = { booking, idempotencyToken };
    venue.spoil('CreateBooking', 'lost', 1);
    assert.equal((await ask(first)).outcome, 'unknown');
    assert.deepEqual(await ask({ ...first, again: true }), { outcome: 'pending', ref: 'venue-1' });
    assert.equal(venue.bookings.size, 1);
  });

  test("others' tables are left alone, whatever a list shows", async () => {
    await ask();
    const theirs = [...venue.bookings.values()];
    venue.instead = (name, response) => {
      if (name !== 'ListBookings') return false;
      response.end(JSON.stringify({ bookings: theirs }));
      return true;
    };
    assert.deepEqual(await tell(), { outcome: 'absent' });
    assert.equal(theirs[0]?.status, 'CONFIRMED');
  });

  test('a call that broke off after the table was made counts as made', async () => {
    for (const mishap of ['lost', 'garbage'] as const) {
      venue.bookings.clear();
      venue.spoil('CreateBooking', mishap, 1);
      assert.deepEqual(await ask(), { outcome: 'confirmed', ref: 'venue-1' });
      assert.equal(venue.bookings.size, 1);
    }
  });
});
