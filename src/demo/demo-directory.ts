import { setStatementTimeout, type Db, type Pool } from '../core/postgres/db.ts';
import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../core/progress.ts';
import { copyInto } from '../core/postgres/copy-into.ts';
import { accoladeLines, closureLines, DEMO_TABLES, menuLine, placeLine } from './wording/demo-copy.ts';
import { demoPlaces, type DemoPlacesOptions } from './demo-places.ts';

export interface DemoDirectoryOptions extends DemoPlacesOptions {
  sql: Pool;
  progress: Progress;
}

/** Ids of destinations that have real places. They get no demo places. */
type RealDestinations = ReadonlySet<string>;

export interface DemoDirectorySize {
  places: number;
  closed: number;
  menus: number;
  accolades: number;
}

/** Places per batch: one batch is in memory while another is being sent to the database. */
const BATCH_PLACES = 2_000;
// Writing to the socket needs a turn of the event loop; without it the database would starve during generation.
const PLACES_PER_TURN = 250;
const REPORTS_MAX = 50;

/** COPY lines of a number of places, by table. */
class Batch {
  places = 0;
  readonly #chunks: Record<keyof typeof DEMO_TABLES, Buffer[]> = {
    place: [],
    closure: [],
    menu: [],
    accolade: [],
  };

  add(lines: Readonly<Record<keyof typeof DEMO_TABLES, string>>, places: number): void {
    this.places += places;
    for (const table of ['place', 'closure', 'menu', 'accolade'] as const) {
      if (lines[table] !== '') this.#chunks[table].push(Buffer.from(lines[table]));
    }
  }

  /** Sends the places first, because all other tables refer to them. */
  async send(tx: Db): Promise<void> {
    for (const table of ['place', 'closure', 'menu', 'accolade'] as const) {
      await copyInto(tx, DEMO_TABLES[table], this.#chunks[table]);
    }
  }
}

async function* batches(
  options: DemoPlacesOptions,
  real: RealDestinations,
  size: DemoDirectorySize,
): AsyncGenerator<Batch> {
  let batch = new Batch();
  let lines = { place: '', closure: '', menu: '', accolade: '' };
  let turn = 0;
  const flush = (): void => {
    batch.add(lines, turn);
    lines = { place: '', closure: '', menu: '', accolade: '' };
    turn = 0;
  };
  // Real destinations are skipped here, not earlier, so that all other destinations get the same venues as before.
  for (const place of demoPlaces(options)) {
    if (real.has(place.destination_id)) continue;
    lines.place += placeLine(place);
    lines.closure += closureLines(place);
    lines.menu += menuLine(place);
    lines.accolade += accoladeLines(place);
    size.places++;
    if (place.closed_at !== null) size.closed++;
    if (place.menu !== null) size.menus++;
    size.accolades += place.accolades.length;
    if (++turn === PLACES_PER_TURN) {
      flush();
      await setImmediate();
    }
    if (batch.places >= BATCH_PLACES) {
      yield batch;
      batch = new Batch();
    }
  }
  flush();
  if (batch.places > 0) yield batch;
}

async function fill(
  tx: Db,
  options: DemoDirectoryOptions,
  real: RealDestinations,
): Promise<DemoDirectorySize> {
  const size: DemoDirectorySize = { places: 0, closed: 0, menus: 0, accolades: 0 };
  const total = options.destinations.length === 0 ? 0 : options.places;
  const reportEvery = Math.max(1, Math.ceil(total / REPORTS_MAX));
  let sent = 0;
  let reported = 0;
  // The next batch is generated while the database loads the previous one.
  let sending: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches(options, real, size)) {
      await sending;
      if (sent - reported >= reportEvery) {
        options.progress(sent, total);
        reported = sent;
      }
      sending = batch.send(tx);
      // An error is thrown where the batch is awaited; until then it must not count as an unhandled rejection.
      sending.catch(() => undefined);
      sent += batch.places;
    }
  } finally {
    await sending;
  }
  options.progress(total, total);
  return size;
}

async function listRealDestinations(tx: Db): Promise<RealDestinations> {
  const rows = await tx<{ id: string }[]>`
    select d.id from destination d where exists (
      select 1 from place p where p.destination_id = d.id and p.source not in ('demo', 'submission'))`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Replaces the demo places with freshly generated ones in one transaction. Places of other sources are not changed, and
 * their destinations get no demo places.
 */
export async function loadDemoDirectory(options: DemoDirectoryOptions): Promise<DemoDirectorySize> {
  return options.sql.begin(async (tx) => {
    // Loading millions of rows takes longer than the request timeout.
    await setStatementTimeout(tx, 0);
    // Two concurrent loads would each delete rows before the other has written them, and then collide.
    await tx`select pg_advisory_xact_lock(hashtext('waypost/demo-directory'))`;
    await tx`delete from place where source = 'demo'`;
    const size = await fill(tx, options, await listRealDestinations(tx));
    // The same seed gives the same ids, so places that were recreated are no longer removed.
    await tx`delete from place_removed r using place p
      where p.id = r.place_id and p.destination_id = r.destination_id`;
    // The places are first counted right after the commit; without statistics that query would be planned for an empty
    // table. Coarse statistics suffice: full ones take a second, and autovacuum collects them a little later anyway.
    await tx`set local default_statistics_target = 10`;
    await tx`analyze place`;
    return size;
  });
}
