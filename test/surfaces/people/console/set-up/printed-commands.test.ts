import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandFor } from '../../../../../src/core/installation.ts';
import { seconds } from '../../../../import/import-directory.ts';
import { writeOsmPbf } from '../../../../import/readers/write-osm-pbf.ts';
import { until } from '../../../../harness/service/jobs.ts';
import { CHECKOUT, freePort, startProgram, untilReady } from '../../../../harness/service/program.ts';
import { startTestService } from '../../../../harness/service/service.ts';
import { signInStaff } from '../../../../harness/people/staff.ts';
import { longTest } from '../../../../harness/tier.ts';

// A space and a quote, so that a path that is not quoted for the shell fails.
const folder = mkdtempSync(join(tmpdir(), "waypost-it's here-"));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const MAP = join(folder, 'town.osm.pbf');
writeFileSync(
  MAP,
  writeOsmPbf({
    nodes: [
      { id: 1, lat: 43.7396, lng: 7.4272, tags: { place: 'city', name: 'Monaco', 'addr:country': 'MC' } },
      { id: 2, lat: 43.7397, lng: 7.4273, tags: { amenity: 'cafe', name: 'Café Ada' } },
    ],
    extracted: seconds('2025-01-01'),
  }),
);

const AGENT = 'Test/1.0 (+https://waypost.example)';

interface Said {
  code: number;
  out: string;
  error: string;
}

/** Runs a line in a shell that has none of the service's settings. */
function shell(line: string): Promise<Said> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'fatal' };
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { cwd: CHECKOUT, env }, (error, out, said) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, error: said });
    });
  });
}

longTest(
  'the import command that a start prints fills the database of that service, wherever only its environment says it is',
  async () => {
    const dataDir = join(folder, 'data');
    const port = String(await freePort());
    const service = startProgram([process.execPath, 'src/cli.ts', 'start'], {
      DATA_DIR: dataDir,
      PORT: port,
    });
    await untilReady(service);
    const printed = await until('the start says how places come in', () =>
      Promise.resolve(/^ {2}(.*npx waypost import osm extract\.osm\.pbf.*)$/m.exec(service.said.out)?.[1]),
    );
    const line = printed.replace('extract.osm.pbf', `"$MAP"`);
    const { code, out, error } = await shell(`MAP="${MAP}"; ${line}`);
    assert.equal(code, 0, error);
    assert.ok(out.includes(`Written to the data directory ${dataDir}, on which a service is running.`), out);
    assert.match(out, /Its searches find the places within seconds\./);
    const signedUp = await fetch(`${service.url}/api/agent/signup`, {
      method: 'POST',
      headers: { 'user-agent': AGENT, 'content-type': 'application/json' },
      body: JSON.stringify({
        agent_name: 'Asker',
        operator_name: 'Asker',
        operator_email: 'asker@agents.example',
        purpose: 'Finds cafés for travellers.',
      }),
    });
    const { api_key: key } = (await signedUp.json()) as { api_key: string };
    const found = await until('the search finds it', async () => {
      const answer = await fetch(`${service.url}/api/agent/search?city=monaco&q=ada`, {
        headers: { 'user-agent': AGENT, authorization: `Bearer ${key}` },
      });
      const { places } = (await answer.json()) as { places?: { name: string }[] };
      return places?.[0]?.name;
    });
    assert.equal(found, 'Café Ada');

    service.child.kill('SIGTERM');
    assert.equal(await service.ended, 0);
    const later = await shell(`MAP="${MAP}"; ${line}`);
    assert.equal(later.code, 0, later.error);
    assert.match(later.out, /on which no service is running\./);
    assert.doesNotMatch(later.out, /within seconds/);
    assert.match(later.out, /once a service starts on it/);
  },
);

test('a command for a database of its own names host and database, and never the user or password', () => {
  const { command, note } = commandFor(
    { dataDir: '/data', databaseUrl: 'postgres://ann:hush@db.example.com:6432/way%20post?sslmode=require' },
    'ledger verify',
  );
  assert.equal(
    command,
    'DATABASE_URL=postgres://USER:PASSWORD@db.example.com:6432/way%20post npx waypost ledger verify',
  );
  assert.match(note ?? '', /the database way post at db\.example\.com:6432/);
  assert.doesNotMatch(`${command}${note ?? ''}`, /hush|ann/);
});

test('the set-up page prints the command for this service and no password of its database', async () => {
  const service = await startTestService({
    settings: { DEMO: 'off', DATABASE_URL: 'postgres://ann:hush@db.example/town' },
  });
  const lead = await signInStaff(service, 'lead');
  const page = await (await lead.get('/console/set-up')).text();
  assert.match(page, /DATABASE_URL=postgres:\/\/USER:PASSWORD@db\.example\/town npx waypost import osm/);
  assert.match(page, /the database town at db\.example:5432/);
  assert.doesNotMatch(page, /hush/);
  const home = await (await service.request('/')).text();
  assert.doesNotMatch(home, /db\.example/, 'strangers learn nothing of it');
});
