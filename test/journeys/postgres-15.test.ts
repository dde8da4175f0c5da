import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { addVenue, AskingPartner, linkIn, tap } from '../bookings/asking-partner.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { debianProgram } from '../harness/debian/debian-program.ts';
import { startPostgres } from '../harness/debian/postgres-15.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { until } from '../harness/service/jobs.ts';
import { freePort, startProgram, untilReady } from '../harness/service/program.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { writeOsmPbf } from '../import/readers/write-osm-pbf.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadeMember, addMadePhoto } from '../licensing/made-photo.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';

const WAYPOST = [process.execPath, 'src/cli.ts'];
const found = debianProgram('/usr/lib/postgresql/15/bin/postgres', 'postgresql-15');

test(
  'the service does its work on PostgreSQL 15',
  { skip: 'missing' in found && found.missing },
  async () => {
    if (!('path' in found)) return;
    const url = await startPostgres(found.path);
    const program = startProgram([...WAYPOST, 'start'], {
      DATABASE_URL: url,
      PORT: String(await freePort()),
    });
    await untilReady(program);
    const folder = mkdtempSync(join(tmpdir(), 'waypost-import-'));
    after(() => {
      rmSync(folder, { recursive: true });
    });
    await importCafe(url, join(folder, 'map.osm.pbf'));
    process.kill(program.child.pid ?? 0, 'SIGTERM');
    assert.equal(await program.ended, 0, program.said.error);

    const pool = connect(url, { max: 10, statementTimeoutMs: 15_000 });
    const [server] = await pool<{ version: string }[]>`select current_setting('server_version') as version`;
    assert.match(server?.version ?? '', /^15\./);
    const smtp = await startSmtp();
    const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'post@waypost.example', TEST_PAYMENTS: 'on' };
    const service = await startTestService({ database: { url, pool, drop: () => pool.end() }, settings });
    after(() => pool.end({ timeout: 1 }));

    const { apiKey } = await signUpAgent(service);
    const search = await service.request('/api/agent/search?q=ada&city=monaco', {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    assert.equal(search.headers.get('x-ratelimit-remaining'), '99');
    const { places } = (await search.json()) as { places: { name: string }[] };
    assert.deepEqual(
      places.map(({ name }) => name),
      ['Café Ada'],
    );

    const feed = { destination: 'monaco' };
    const page = await callTool<{ places: { name: string }[] }>(service, PARTNER_MCP, 'directory_feed', feed);
    assert.equal(page.places[0]?.name, 'Café Ada');

    // Ten in the morning where the venue is: nobody is asked at night.
    service.clock.advance(14 * 3_600_000);
    const partner = await AskingPartner.add(service);
    const bookingId = await partner.request(await addVenue(service, { email: 'venue@venue.example' }));
    await tap(service, await linkIn(smtp, 'venue@venue.example'), { answer: 'yes' });
    assert.equal((await partner.untilStatus(bookingId, 'confirmed')).booked, true);

    const memberId = await addMadeMember(pool, service.clock);
    const photoId = await addMadePhoto(pool, service.clock, { memberId });
    const buyer = await makeBuyer(service, 5_000);
    assert.equal((await buyer.license(photoId, 'web', 900, 'first')).status, 201);
    await service.close();
  },
);

async function importCafe(url: string, file: string): Promise<void> {
  const map = writeOsmPbf({
    nodes: [{ id: 1, lat: 43.7396, lng: 7.4272, tags: { amenity: 'cafe', name: 'Café Ada' } }],
    extracted: Date.parse('2025-01-01') / 1000,
  });
  await writeFile(file, map);
  const tool = startProgram([...WAYPOST, 'import', 'osm', file, '--auto-destinations'], {
    DATABASE_URL: url,
  });
  assert.equal(
    await until('the import has ended', () => tool.child.exitCode ?? undefined),
    0,
    tool.said.error,
  );
}
