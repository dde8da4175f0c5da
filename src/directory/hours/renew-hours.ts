import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../core/context.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { compileHours, type HoursContext } from './compile/compile-hours.ts';
import type { CompiledHours } from './compile/compiled-hours.ts';
import { compileSubmittedHours } from './submitted-hours.ts';
import type { HoursSource } from './verified-hours.ts';
import { repeat } from '../../core/repeat.ts';

/** Hours are worked out again when so few days of them are left; a day's delay then hides no holiday. */
export const HOURS_LEFT_DAYS_MIN = 60;
const PLACES_PER_ROUND = 200;
const EVERY_MS = 60_000;

interface Ending extends Omit<HoursContext, 'now'> {
  id: string;
  text: string;
  source: HoursSource;
}

/** Works out anew the hours that come to the end of what was worked out, for as long as the service runs. */
export function startHoursRenewal({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>): {
  close(): Promise<void>;
} {
  return repeat({
    everyMs: EVERY_MS,
    log,
    failure: 'hours could not be worked out anew',
    round: async () => {
      const renewed = await renewHours(pool, clock.now());
      if (renewed > 0) log.info({ renewed }, 'hours worked out anew');
    },
  });
}

/** One batch, those that end first. Nodes that do this at the same time do it twice, which harms nothing. */
export async function renewHours(pool: Pool, now: Date): Promise<number> {
  const ending = await pool<Ending[]>`
    select p.id, coalesce(p.lat, d.lat) as lat, coalesce(p.lng, d.lng) as lng, p.country, p.regions, d.timezone, p.hours->>'text' as text, p.hours->>'source' as source
    from place p join destination d on d.id = p.destination_id
    where p.hours #>> '{compiled,until}' < to_char(${now}::timestamptz + make_interval(days => ${HOURS_LEFT_DAYS_MIN}), 'YYYY-MM-DD')
      and p.hours->>'text' is not null
    order by p.hours #>> '{compiled,until}' limit ${PLACES_PER_ROUND}`;
  const renewed: { id: string; text: string; compiled: CompiledHours | null }[] = [];
  for (const place of ending) {
    // Compiling takes long enough that requests need turns in between.
    await setImmediate();
    renewed.push({ id: place.id, text: place.text, compiled: compileAgain(place, now) });
  }
  return renewed.length === 0 ? 0 : store(pool, renewed, now);
}

/** A map's text is in the syntax of maps; a person's may be plain English. */
function compileAgain({ text, source, ...place }: Ending, now: Date): CompiledHours | null {
  const context = { ...place, now };
  return source === 'map' ? compileHours(text, context) : compileSubmittedHours(text, context).compiled;
}

/**
 * Hours that somebody changed meanwhile stay as they are. The place counts as updated only where the ordinary week
 * came out differently, because that is what others keep a copy of.
 */
async function store(pool: Pool, renewed: readonly object[], now: Date): Promise<number> {
  const { count } = await pool`
    update place p set hours = jsonb_set(p.hours, '{compiled}', coalesce(r.compiled, 'null')),
      updated_at = case when p.hours #> '{compiled,week}' is distinct from r.compiled->'week' then ${now} else p.updated_at end
    from jsonb_to_recordset(${pool.json(renewed)}) as r (id text, text text, compiled jsonb)
    where p.id = r.id and p.hours->>'text' = r.text`;
  return count;
}
