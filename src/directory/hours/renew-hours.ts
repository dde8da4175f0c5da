import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../core/context.ts';
import type { Db, Pool } from '../../core/postgres/db.ts';
import { compileHours, type HoursContext } from './compile/compile-hours.ts';
import type { CompiledHours } from './compile/compiled-hours.ts';
import { compileSubmittedHours } from './submitted-hours.ts';
import type { HoursSource } from './verified-hours.ts';
import { repeat } from '../../core/repeat.ts';

/** Hours are recompiled when this many days of their window are left; a day's delay then misses no holiday. */
export const HOURS_LEFT_DAYS_MIN = 60;
const PLACES_PER_ROUND = 200;
const EVERY_MS = 60_000;

interface ExpiringHours extends Omit<HoursContext, 'now'> {
  id: string;
  text: string;
  source: HoursSource;
}

/** Recompiles hours near the end of their compiled window, for as long as the service runs. */
export function startHoursRenewal({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>): {
  close(): Promise<void>;
} {
  return repeat({
    everyMs: EVERY_MS,
    log,
    failure: 'hours could not be recalculated',
    round: async () => {
      const renewed = await renewHours(pool, clock.now());
      if (renewed > 0) log.info({ renewed }, 'hours recalculated');
    },
  });
}

const TEXT_SQL = `
  select p.id, coalesce(p.lat, d.lat) as lat, coalesce(p.lng, d.lng) as lng, p.country, p.regions, d.timezone,
    p.hours->>'text' as text, p.hours->>'source' as source
  from place p join destination d on d.id = p.destination_id`;

/** Compiles the hours of a place from their text again, such as after the venue took closed days back. */
export async function recompileHours(tx: Db, placeId: string, now: Date): Promise<void> {
  const [place] = await tx<ExpiringHours[]>`
    ${tx.unsafe(TEXT_SQL)} where p.id = ${placeId} and p.hours->>'text' is not null`;
  if (place === undefined) return;
  const { id, text } = place;
  await store(tx, [{ id, text, compiled: compileAgain(place, now) }], now);
}

/** Recompiles one batch, those that end first. Nodes that run at the same time repeat the work, which is harmless. */
export async function renewHours(pool: Pool, now: Date): Promise<number> {
  const ending = await pool<ExpiringHours[]>`
    ${pool.unsafe(TEXT_SQL)}
    where p.hours #>> '{compiled,until}' < to_char(${now}::timestamptz + make_interval(days => ${HOURS_LEFT_DAYS_MIN}), 'YYYY-MM-DD')
      and p.hours->>'text' is not null
    order by p.hours #>> '{compiled,until}' limit ${PLACES_PER_ROUND}`;
  const renewed: { id: string; text: string; compiled: CompiledHours | null }[] = [];
  for (const place of ending) {
    // Yields to requests, because compiling takes long.
    await setImmediate();
    renewed.push({ id: place.id, text: place.text, compiled: compileAgain(place, now) });
  }
  return renewed.length === 0 ? 0 : store(pool, renewed, now);
}

/** Text from a map is in OSM's syntax; text from a person may be plain English. */
function compileAgain({ text, source, ...place }: ExpiringHours, now: Date): CompiledHours | null {
  const context = { ...place, now };
  return source === 'map' ? compileHours(text, context) : compileSubmittedHours(text, context).compiled;
}

/** Keeps hours that changed meanwhile. Only another ordinary week makes the place count as updated. */
async function store(db: Db, renewed: readonly object[], now: Date): Promise<number> {
  const { count } = await db`
    update place p set hours = jsonb_set(p.hours, '{compiled}', coalesce(r.compiled, 'null')),
      updated_at = case when p.hours #> '{compiled,week}' is distinct from r.compiled->'week' then ${now} else p.updated_at end
    from jsonb_to_recordset(${db.json(renewed)}) as r (id text, text text, compiled jsonb)
    where p.id = r.id and p.hours->>'text' = r.text`;
  return count;
}
