import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app.ts';
import { PHOTO_FOLDER } from '../backup/manifest.ts';
import { checkBackup, restoreBackup, type CheckedBackup } from '../backup/restore-backup.ts';
import { checkAllTimelines } from '../bookings/upkeep/check-timelines.ts';
import { parseConfig, type Config } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import type { Pool } from '../core/postgres/db.ts';
import { openDatabase, openAsItIs, type Database } from '../database.ts';
import { ledgerLines, verifyLedger } from '../ledger/verify-ledger.ts';
import { openPhotoStorage } from '../photos/photo-storage.ts';
import { bar, count } from './command.ts';

type Say = (line: string) => void;

/** Well below what a caller without a key may ask in a minute. */
const SEARCHES = 10;

/** Restores a backup where nobody reaches it, looks at everything, and returns what does not hold. */
export async function verifyBackup(path: string, say: Say): Promise<string[]> {
  const backup = await checkBackup(path, bar('Hashes, bytes'));
  say(`${count(backup.archive.members.size - 1, 'member')}: all hashes fit.`);
  const folder = await mkdtemp(join(tmpdir(), 'waypost-verify-'));
  try {
    const config = apart(folder, backup);
    const failed: string[] = [];
    await restoreBackup(backup, {
      settings: config,
      open: () => openAsItIs(config, 'restore', () => undefined),
      progress: { tables: bar('Tables, bytes'), photos: bar('Photos, files') },
      compared: ({ name, rows, isEqual }) => {
        say(`  ${name.padEnd(32)}${count(rows, 'row').padStart(18)}  ${isEqual ? 'equal' : 'DIFFERENT'}`);
        if (!isEqual) failed.push(`the rows of ${name}`);
      },
    });
    const database = await openDatabase(config, 'restore', () => undefined);
    try {
      for (const check of [comparePhotos, compareLedger, checkTimelines, askService]) {
        const fault = await check({ backup, config, database, say });
        if (fault !== undefined) failed.push(fault);
      }
    } finally {
      await database.close();
    }
    return failed;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Settings of nobody else: no mail, no texts, no payments, no bucket, nothing that could reach the outside. */
function apart(folder: string, { manifest }: CheckedBackup): Config {
  return parseConfig({
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'http://127.0.0.1',
    ALLOWED_HOSTS: '*',
    SERVICE_PREFIX: manifest.service_prefix,
    DEMO: 'off',
    PROBE_WEBSITES: 'off',
  });
}

interface Restored {
  backup: CheckedBackup;
  config: Config;
  database: Database;
  say: Say;
}

async function comparePhotos({ backup, config, say }: Restored): Promise<string | undefined> {
  const { members } = backup.archive;
  const storage = openPhotoStorage(config);
  let equal = 0;
  for (const [name, { sha256 }] of members) {
    if (!name.startsWith(PHOTO_FOLDER)) continue;
    const file = await storage.get(name.slice(PHOTO_FOLDER.length));
    if (file === undefined) continue;
    const hash = createHash('sha256');
    for await (const chunk of file.body) hash.update(chunk as Buffer);
    if (hash.digest('hex') === sha256) equal++;
  }
  const { files, missing } = backup.manifest.photos;
  say(`Photos: ${equal.toLocaleString('en')} of ${count(files, 'file')} equal.`);
  if (missing.length > 0) say(`  ${count(missing.length, 'file')} was not in the store at the backup.`);
  return equal === files ? undefined : 'files of photos';
}

async function compareLedger({ backup, database, say }: Restored): Promise<string | undefined> {
  const findings = await verifyLedger(database.pool);
  for (const line of ledgerLines(findings)) say(line);
  if (JSON.stringify(findings.totals) !== JSON.stringify(backup.manifest.ledger)) return 'sums of the ledger';
  return findings.faults.length > 0 ? 'the ledger' : undefined;
}

async function checkTimelines({ database, say }: Restored): Promise<string | undefined> {
  const { bookings, entries, broken } = await checkAllTimelines(database.pool, {
    clock: systemClock,
    progress: () => undefined,
    found: ({ booking_id, sequence, what }) => {
      say(`  ${booking_id}, entry ${sequence}: ${what}`);
    },
  });
  say(
    `Timelines: ${count(bookings, 'booking')} with ${entries.toLocaleString('en')} entries, ${broken} broken.`,
  );
  return broken > 0 ? 'timelines of bookings' : undefined;
}

/** The service answers, but it is never told to take jobs: nothing that waited in the backup goes out. */
async function askService({ config, database, say }: Restored): Promise<string | undefined> {
  const app = await createApp({
    config,
    pool: database.pool,
    databaseUrl: database.url,
    clock: systemClock,
    log: createLog('silent', process.stderr),
  });
  try {
    await app.http.listen({ host: '127.0.0.1', port: 0 });
    await app.deps.places.whenReady();
    const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
    const ready = await fetch(`${url}/readyz`);
    say(`Service: /readyz is ${ready.status}.`);
    const places = await placesToSeek(database.pool);
    let found = 0;
    for (const place of places) if (await isFound(url, place)) found++;
    say(`Searches: ${found} of ${places.length} places found by their names.`);
    return ready.status === 200 && found === places.length ? undefined : 'answers of the service';
  } finally {
    await app.close();
  }
}

interface SoughtPlace {
  id: string;
  name: string;
  slug: string;
}

/** Open places whose names nobody else in their destinations has. */
function placesToSeek(pool: Pool): Promise<SoughtPlace[]> {
  return pool<SoughtPlace[]>`
    select p.id, p.name, d.slug from place p join destination d on d.id = p.destination_id
    where p.closed_at is null and not exists (select from place o where o.destination_id = p.destination_id
      and lower(o.name) = lower(p.name) and o.id <> p.id)
    order by md5(p.id) limit ${SEARCHES}`;
}

async function isFound(url: string, { id, name, slug }: SoughtPlace): Promise<boolean> {
  const call = { name: 'search_places', arguments: { destination: slug, query: name, limit: 50 } };
  const response = await fetch(`${url}/api/partner/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  return response.ok && (await response.text()).includes(id);
}
