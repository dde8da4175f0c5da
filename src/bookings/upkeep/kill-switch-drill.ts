import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { readKillSwitch } from './kill-switch.ts';

/** What one drill of the kill switch has shown. Times are the database's. */
export interface Drill {
  id: string;
  /** The address of whoever ran it; null when that account is gone. */
  by: string | null;
  startedAt: Date;
  askedAt: Date | null;
  answeredAt: Date | null;
  resumedAt: Date | null;
  /** How many bookings stood still. */
  frozen: number | null;
  /** Outbound actions that were noted up to the answer. */
  actions: number | null;
  /** Of these, how many were under way when the flip was asked for. */
  inFlight: number | null;
  /** When the last of them ended; null when there was none. */
  lastAt: Date | null;
  /** How many went on or began after the answer. */
  afterAnswer: number | null;
}

/** A drill that was killed ends nowhere; after this long nobody waits for it. */
const ABANDONED_MINUTES = 10;

/** From its commit every node notes what leaves for venues. */
export async function beginDrill(tx: Db, staffId: string): Promise<string> {
  if ((await readKillSwitch(tx)).on)
    throw new AppError(
      'bookings_halted',
      'Bookings are halted already, so there is nothing to try. Nothing was changed.',
    );
  await tx`
    update kill_switch_drill set ended_at = clock_timestamp(), answered_at = null
    where ended_at is null and started_at < now() - ${ABANDONED_MINUTES} * interval '1 minute'`;
  await tx`delete from outbound_action where drill_id in (select id from kill_switch_drill where ended_at is not null)`;
  const [begun] = await tx<{ id: string }[]>`
    insert into kill_switch_drill (by_staff) values (${staffId}) on conflict do nothing returning id::text as id`;
  if (begun === undefined)
    throw new AppError('invalid_move', 'Another drill is running. Nothing was changed.');
  return begun.id;
}

export async function noteAsked(tx: Db, id: string): Promise<void> {
  await tx`update kill_switch_drill set asked_at = clock_timestamp() where id = ${id}`;
}

/** In the transaction of the flip, which holds the switch alone: whatever ends after this was not waited for. */
export async function noteAnswered(tx: Db, id: string, frozen: number): Promise<void> {
  await tx`update kill_switch_drill set answered_at = clock_timestamp(), frozen = ${frozen} where id = ${id}`;
}

export async function noteResumed(tx: Db, id: string): Promise<void> {
  await tx`update kill_switch_drill set resumed_at = clock_timestamp() where id = ${id}`;
}

/**
 * Counts what was noted until the switch was turned back. What has not ended by then is still under way. A switch that
 * somebody else turned back shows nothing, and no answer is kept.
 */
export async function endDrill(tx: Db, id: string): Promise<void> {
  await tx`
    update kill_switch_drill d set ended_at = clock_timestamp(),
      answered_at = case when d.resumed_at is null then null else d.answered_at end, actions = seen.actions, in_flight = seen.in_flight,
      last_at = seen.last_at, after_answer = seen.after_answer
    from (
      select count(a.id) filter (where a.begun_at <= k.answered_at)::int as actions,
        count(a.id) filter (where a.begun_at <= k.asked_at
          and coalesce(a.ended_at, 'infinity') > k.asked_at)::int as in_flight,
        max(a.ended_at) as last_at,
        count(a.id) filter (where coalesce(a.ended_at, 'infinity') > k.answered_at)::int as after_answer
      from kill_switch_drill k left join outbound_action a on a.drill_id = k.id
        and a.begun_at < coalesce(k.resumed_at, 'infinity')
      where k.id = ${id}) as seen
    where d.id = ${id}`;
}

/** The last drill that came so far that the switch was thrown. */
export async function findLastDrill(db: Db): Promise<Drill | undefined> {
  const [drill] = await db<Drill[]>`
    select d.id::text as id, s.email as by, started_at as "startedAt", asked_at as "askedAt",
      answered_at as "answeredAt", resumed_at as "resumedAt", frozen, actions, in_flight as "inFlight",
      last_at as "lastAt", after_answer as "afterAnswer"
    from kill_switch_drill d left join staff s on s.id = d.by_staff
    where ended_at is not null and answered_at is not null order by d.id desc limit 1`;
  return drill;
}
