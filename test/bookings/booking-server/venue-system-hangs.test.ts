import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, describe, test } from 'node:test';
import { noCertificates } from '../../harness/service/https-server.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addVenue, AskingPartner } from '../asking-partner.ts';
import { connectVenue } from './connect-venue.ts';
import { startVenueServer } from './venue-server.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

describe("a venue's system that takes calls and never answers", { skip: noCertificates }, async () => {
  const [dead, healthy] = [await startVenueServer(), await startVenueServer()];
  const service = await startTestService({
    settings: {
      EGRESS_ALLOW: `${dead.pair},${healthy.pair}`,
      DESK_PHONE: '+62361999999',
      JOBS_AT_ONCE: '2',
      BOOKING_READS_PER_MINUTE: '100000',
    },
  });
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);
  const hanging = new Set<ServerResponse>();
  let most = 0;
  after(() => {
    for (const response of hanging) response.destroy();
  });

  test('keeps one place: other systems are called, and other venues asked, while it hangs', async () => {
    const deadVenue = await connectVenue(service, dead);
    dead.instead = (_method, response) => {
      hanging.add(response);
      response.on('close', () => hanging.delete(response));
      most = Math.max(most, hanging.size);
      return true;
    };
    const stuck = [];
    for (const name of ['One', 'Two', 'Three'])
      stuck.push(await partner.request(deadVenue, { guest_name: `Guest ${name}` }));
    await until('it was called', () => most > 0);
    const answered = await partner.request(await connectVenue(service, healthy));
    await partner.untilStatus(answered, 'confirmed');
    const written = await partner.request(await addVenue(service, { phone: '+6281700001' }));
    await partner.untilStatus(written, 'asking');
    assert.equal(most, 1, 'one call at a time');
    const [first = ''] = stuck;
    assert.equal((await partner.status(first)).booked, false);
  });
});
