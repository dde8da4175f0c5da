import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readManifest, type Manifest } from '../../src/backup/manifest.ts';
import { openArchive } from '../../src/backup/read-archive.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { waypostHere } from '../backup/commands.ts';
import { addVenue, AskingPartner, linkIn, tap } from '../bookings/asking-partner.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { debianProgram } from '../harness/debian/debian-program.ts';
import { startPostgres } from '../harness/debian/postgres-15.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { createPlainDatabase } from '../harness/service/database.ts';
import { freePort, startProgram, untilReady, type Program } from '../harness/service/program.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { LONG } from '../harness/tier.ts';
import { writeOsmPbf } from '../import/readers/write-osm-pbf.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadeMember, addMadePhoto } from '../licensing/made-photo.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';

const WAYPOST = [process.execPath, 'src/cli.ts'];
const found = await debianProgram('/usr/lib/postgresql/15/bin/postgres', 'postgresql-15');

test(
  `the service does its work on PostgreSQL 15 as a plain owner of its database${LONG ? ', and moves to 18 and back' : ''}`,
  { skip: 'missing' in found && found.missing },
  async () => {
    if (!('path' in found)) return;
    const server = await startPostgres(found.path);
    const { url } = await createPlainDatabase(server);
    // Both find an empty database. Without them the import below does, which makes the tables as a node would.
    const nodes = LONG ? await Promise.all([startNode(url), startNode(url)]) : [];
    for (const node of nodes) await untilReady(node);
    const folder = mkdtempSync(join(tmpdir(), 'waypost-import-'));
    after(() => {
      rmSync(folder, { recursive: true });
    });
    await importCafe(url, join(folder, 'map.osm.pbf'));
    for (const { child, ended, said } of nodes) {
      process.kill(child.pid ?? 0, 'SIGTERM');
      assert.equal(await ended, 0, said.error);
    }

    const pool = connect(url, { max: 10, statementTimeoutMs: 15_000 });
    const [about] = await pool<{ version: string; source: string }[]>`
      select current_setting('server_version') as version, change_source() as source`;
    assert.match(about?.version ?? '', /^15\./);
    assert.match(about?.source ?? '', /^\d+\/\d+$/, 'the role cannot ask which server it is');
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
    if (!LONG) return;

    const older = join(folder, '15.tar');
    await waypost(url, 'backup', older);
    const newer = await createPlainDatabase();
    await waypost(newer.url, 'restore', older);
    await waypost(newer.url, 'backup', join(folder, '18.tar'));
    await newer.drop();
    const back = await createPlainDatabase(server);
    await waypost(back.url, 'restore', join(folder, '18.tar'));
    await waypost(back.url, 'backup', join(folder, 'back.tar'));
    const [before, now] = [await manifestOf(older), await manifestOf(join(folder, 'back.tar'))];
    assert.match(before.postgres, /^15/);
    assert.deepEqual([now.tables, now.jobs, now.ledger], [before.tables, before.jobs, before.ledger]);
  },
);

/** A command as an operator types it; it must succeed. */
async function waypost(url: string, ...words: string[]): Promise<void> {
  const { code, error } = await waypostHere(words, { DATABASE_URL: url });
  assert.equal(code, 0, error);
}

async function manifestOf(file: string): Promise<Manifest> {
  return readManifest(await openArchive(file, () => undefined));
}

async function startNode(url: string): Promise<Program> {
  return startProgram([...WAYPOST, 'start'], { DATABASE_URL: url, PORT: String(await freePort()) });
}

async function importCafe(url: string, file: string): Promise<void> {
  const map = writeOsmPbf({
    nodes: [{ id: 1, lat: 43.7396, lng: 7.4272, tags: { amenity: 'cafe', name: 'Café Ada' } }],
    extracted: Date.parse('2025-01-01') / 1000,
  });
  await writeFile(file, map);
  await waypost(url, 'import', 'osm', file, '--auto-destinations');
}
