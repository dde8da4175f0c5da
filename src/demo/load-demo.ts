import { setImmediate } from 'node:timers/promises';
import { copyInto } from '../core/postgres/copy-into.ts';
import { setStatementTimeout, type Db, type Pool } from '../core/postgres/db.ts';
import type { Progress } from '../core/progress.ts';
import type { DemoDestinationRow } from './demo-destinations.ts';
import { demoPlaces, type DemoPlace, type DemoPlacesOptions } from './demo-places.ts';
import { accoladeLines, closureLines, DEMO_TABLES, menuLine, placeLine } from './wording/demo-copy.ts';

interface LoadOptions extends DemoPlacesOptions {
  progress: Progress;
}

/** Places per batch: one batch is in memory while another is being sent to the database. */
const BATCH_PLACES = 2_000;
// Writing to the socket needs a turn of the event loop; without it the database would starve during generation.
const PLACES_PER_TURN = 250;
const REPORTS_MAX = 50;

/** Functions that write the COPY lines of a place. Places come first, because all other tables refer to them. */
const LINES = { place: placeLine, closure: closureLines, menu: menuLine, accolade: accoladeLines } as const;
const TABLES = Object.keys(LINES) as (keyof typeof LINES)[];

const newBatch = () => ({ places: 0, lines: { place: '', closure: '', menu: '', accolade: '' } });
type Batch = ReturnType<typeof newBatch>;

/** Yields the places in batches. Destinations with real places are skipped here, so that all others stay the same. */
async function* batches(places: Iterable<DemoPlace>, real: ReadonlySet<string>): AsyncGenerator<Batch> {
  let batch = newBatch();
  for (const place of places) {
    if (real.has(place.destination_id)) continue;
    for (const table of TABLES) batch.lines[table] += LINES[table](place);
    if (++batch.places % PLACES_PER_TURN === 0) await setImmediate();
    if (batch.places < BATCH_PLACES) continue;
    yield batch;
    batch = newBatch();
  }
  if (batch.places > 0) yield batch;
}

async function send(tx: Db, { lines }: Batch): Promise<void> {
  for (const table of TABLES)
    if (lines[table] !== '') await copyInto(tx, DEMO_TABLES[table], [Buffer.from(lines[table])]);
}

async function fill(tx: Db, options: LoadOptions, places: Iterable<DemoPlace>): Promise<number> {
  const total = options.destinations.length === 0 ? 0 : options.places;
  const reportEvery = Math.max(1, Math.ceil(total / REPORTS_MAX));
  let [sent, reported] = [0, 0];
  // The next batch is generated while the database loads the previous one.
  let sending: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches(places, await listRealDestinations(tx))) {
      await sending;
      if (sent - reported >= reportEvery) options.progress((reported = sent), total);
      sending = send(tx, batch);
      // An error is thrown where the batch is awaited; until then it must not count as an unhandled rejection.
      sending.catch(() => undefined);
      sent += batch.places;
    }
  } finally {
    await sending;
  }
  options.progress(total, total);
  return sent;
}

/** Returns the ids of destinations that have real places. They get no demo places. */
async function listRealDestinations(tx: Db): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: string }[]>`
    select d.id from destination d where exists (
      select 1 from place p where p.destination_id = d.id and p.source not in ('demo', 'submission'))`;
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the demo places of all destinations in one transaction. Places of other sources are not changed. */
export async function loadDemo(
  pool: Pool,
  options: Omit<LoadOptions, 'destinations'>,
): Promise<{ places: number }> {
  const destinations = await pool<DemoDestinationRow[]>`
    select id, slug, name, country, timezone, lat, lng, west, south, east, north, areas
    from destination order by slug`;
  // Reads the coastlines of the world, which blocks a slow machine for longer than a transaction may be idle.
  const made = demoPlaces({ ...options, destinations });
  return pool.begin(async (tx) => {
    // Loading millions of rows takes longer than the request timeout.
    await setStatementTimeout(tx, 0);
    // Two concurrent loads would each delete rows before the other has written them, and then collide.
    await tx`select pg_advisory_xact_lock(hashtext('waypost/demo-directory'))`;
    await tx`delete from place where source = 'demo'`;
    const places = await fill(tx, { ...options, destinations }, made);
    // The same seed gives the same ids, so places that were recreated are no longer removed.
    await tx`delete from place_removed r using place p
      where p.id = r.place_id and p.destination_id = r.destination_id`;
    // Without statistics, the count after the commit would be planned for an empty table; coarse ones suffice for it.
    await tx`set local default_statistics_target = 10`;
    await tx`analyze place`;
    return { places };
  });
}
