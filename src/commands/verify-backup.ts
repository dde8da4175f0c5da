import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addPartner } from '../accounts/partners/partner.ts';
import { createApp, type App } from '../app.ts';
import { PHOTO_FOLDER } from '../backup/manifest.ts';
import { namedFiles, namedUploads } from '../backup/named-files.ts';
import { checkBackup, restoreBackup, type CheckedBackup } from '../backup/restore-backup.ts';
import { checkAllTimelines } from '../bookings/maintenance/check-timelines.ts';
import { parseConfig, type Config } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import type { Pool } from '../core/postgres/db.ts';
import { openDatabase, openAsItIs, type Database } from '../node/database.ts';
import { ledgerLines, verifyLedger } from '../ledger/verify-ledger.ts';
import { openPhotoStorage } from '../photos/storage/open-storage.ts';
import { formatCount, formatNumber } from '../core/text/format-count.ts';
import { bar } from './command.ts';

type Say = (line: string) => void;

/** Below the requests per minute of a partner on the largest plan. */
const SEARCHES = 200;
const LOOK_MS = 100;

/** Restores a backup where nobody can reach it, checks everything, and returns what failed. */
export async function verifyBackup(path: string, say: Say): Promise<string[]> {
  const backup = await checkBackup(path, bar('Hashes, bytes'));
  say(`${formatCount(backup.archive.members.size - 1, 'member')}: all hashes match.`);
  const folder = await mkdtemp(join(tmpdir(), 'waypost-verify-'));
  try {
    const config = isolatedConfig(folder, backup);
    const failed: string[] = [];
    await restoreBackup(backup, {
      settings: config,
      open: () => openAsItIs(config, 'restore', () => undefined),
      progress: { tables: bar('Tables, bytes'), photos: bar('Photos, files') },
      compared: ({ name, rows, isEqual }) => {
        say(
          `  ${name.padEnd(32)}${formatCount(rows, 'row').padStart(18)}  ${isEqual ? 'equal' : 'DIFFERENT'}`,
        );
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

/** Isolated settings: no mail, no text messages, no payments, no bucket, nothing that could reach the outside. */
function isolatedConfig(folder: string, { manifest }: CheckedBackup): Config {
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

async function comparePhotos({ backup, config, database, say }: Restored): Promise<string | undefined> {
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
  say(`Photos: ${formatNumber(equal)} of ${formatCount(files, 'file')} match.`);
  if (missing.length > 0)
    say(
      `  Already missing when the backup was made: ${formatCount(missing.length, 'file')} that the database refers to.`,
    );
  const reportedMissing = new Set(missing);
  const keys = [...(await namedUploads(database.pool)), ...(await namedFiles(database.pool))];
  const lost = keys.filter((key) => !reportedMissing.has(key) && !members.has(PHOTO_FOLDER + key));
  if (lost.length > 0) say(`  Not in the backup: ${lost.join(', ')}.`);
  return equal === files && lost.length === 0 ? undefined : 'files of photos';
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
    `Timelines: ${formatCount(bookings, 'booking')} with ${formatCount(entries, 'entry', 'entries')}, ${broken} broken.`,
  );
  return broken > 0 ? 'timelines of bookings' : undefined;
}

/** Starts the service but not its jobs, so that nothing waiting in the backup is sent, and sends it requests. */
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
    if (!(await hasIndex(app))) {
      say('Service: the search index could not be built.');
      return 'answers of the service';
    }
    const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
    const ready = await fetch(`${url}/readyz`);
    say(`Service: /readyz is ${ready.status}.`);
    const key = await addSearchPartner(app);
    const places = await placesToSearch(database.pool);
    let equal = 0;
    for (const place of places) {
      if (await isFound(url, key, place)) equal++;
      else say(`  ${place.id} in ${place.slug} is not found, or differs from what is stored: ${place.name}`);
    }
    say(`Searches: ${equal} of ${places.length} places found by their names, as they are stored.`);
    return ready.status === 200 && equal === places.length ? undefined : 'answers of the service';
  } finally {
    await app.close();
  }
}

/** True once the index is built, false when building has failed; a failed build would be retried forever. */
async function hasIndex({ deps: { places } }: App): Promise<boolean> {
  while (!places.isReady && places.trouble === undefined) await delay(LOOK_MS);
  return places.isReady;
}

/** Adds a partner with a sufficient rate limit to the restored copy, and returns its key. */
async function addSearchPartner({ deps: { pool, newId, config } }: App): Promise<string> {
  const account = { email: 'verify@waypost.example', name: 'Verify' };
  const { partnerId, apiKey } = await addPartner(pool, newId, systemClock.now(), config.prefix, account);
  await pool`update partner set plan = 'platform' where id = ${partnerId}`;
  return apiKey;
}

interface ExpectedPlace {
  id: string;
  name: string;
  category: string;
  slug: string;
}

/** `local_name` is present when the place has another name in its own country. */
interface FoundPlace {
  place_id: string;
  name: string;
  local_name?: string;
  category: string;
}

/** Selects open places that a search can find by name: the name is unique in the destination and contains letters. */
function placesToSearch(pool: Pool): Promise<ExpectedPlace[]> {
  return pool<ExpectedPlace[]>`
    select p.id, p.name, p.category, d.slug from place p join destination d on d.id = p.destination_id
    where p.closed_at is null and p.name ~ '[[:alpha:]]{2}' and length(p.name) <= 200
      and not exists (select from place o where o.destination_id = p.destination_id
        and lower(o.name) = lower(p.name) and o.id <> p.id)
    order by md5(p.id) limit ${SEARCHES}`;
}

async function isFound(
  url: string,
  key: string,
  { id, name, category, slug }: ExpectedPlace,
): Promise<boolean> {
  const call = { name: 'search_places', arguments: { destination: slug, query: name, limit: 50 } };
  const response = await fetch(`${url}/api/partner/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-partner-key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  if (!response.ok) return false;
  const { result } = (await response.json()) as {
    result?: { structuredContent?: { places?: FoundPlace[] } };
  };
  const place = result?.structuredContent?.places?.find(({ place_id }) => place_id === id);
  return place?.category === category && [place.name, place.local_name].includes(name);
}
