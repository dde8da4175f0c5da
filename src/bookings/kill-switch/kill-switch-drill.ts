import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { readKillSwitch } from './kill-switch.ts';

/** Results of a kill switch drill. Times are from the database's clock. */
export interface Drill {
  id: string;
  by: string | null;
  startedAt: Date;
  askedAt: Date | null;
  answeredAt: Date | null;
  resumedAt: Date | null;
  frozen: number | null;
  /** Number of outbound actions up to the completion of the flip. */
  actions: number | null;
  /** Number of those that were running when the flip was requested. */
  inFlight: number | null;
  /** End of the last action; null when there was none. */
  lastAt: Date | null;
  /** Number of actions that ran or started after the flip was complete. */
  afterAnswer: number | null;
}

/** Age at which an unfinished drill counts as abandoned, because its process was killed. */
const ABANDONED_MINUTES = 10;

/** Starts a drill. After the commit, every node records its outbound actions to venues. */
export async function beginDrill(tx: Db, staffId: string): Promise<string> {
  if ((await readKillSwitch(tx)).on)
    throw new AppError(
      'bookings_halted',
      'Bookings are already halted, so a drill would show nothing. Nothing was changed.',
    );
  await tx`
    update kill_switch_drill set ended_at = clock_timestamp(), answered_at = null
    where ended_at is null and started_at < now() - ${ABANDONED_MINUTES} * interval '1 minute'`;
  await tx`delete from outbound_action where drill_id in (select id from kill_switch_drill where ended_at is not null)`;
  const [drill] = await tx<{ id: string }[]>`
    insert into kill_switch_drill (by_staff) values (${staffId}) on conflict do nothing returning id::text as id`;
  if (drill === undefined)
    throw new AppError('invalid_move', 'Another drill is running. Nothing was changed.');
  return drill.id;
}

export async function recordFlipRequested(tx: Db, id: string): Promise<void> {
  await tx`update kill_switch_drill set asked_at = clock_timestamp() where id = ${id}`;
}

/** Records the completion of the flip in its transaction, which holds the switch exclusively. */
export async function recordFlipCompleted(tx: Db, id: string, frozen: number): Promise<void> {
  await tx`update kill_switch_drill set answered_at = clock_timestamp(), frozen = ${frozen} where id = ${id}`;
}

export async function noteResumed(tx: Db, id: string): Promise<void> {
  await tx`update kill_switch_drill set resumed_at = clock_timestamp() where id = ${id}`;
}

/**
 * Ends a drill and counts the actions that began before the switch was turned off. If somebody else turned it
 * off, the drill is inconclusive.
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

export async function findLastDrill(db: Db): Promise<Drill | undefined> {
  const [drill] = await db<Drill[]>`
    select d.id::text as id, s.email as by, started_at as "startedAt", asked_at as "askedAt",
      answered_at as "answeredAt", resumed_at as "resumedAt", frozen, actions, in_flight as "inFlight",
      last_at as "lastAt", after_answer as "afterAnswer"
    from kill_switch_drill d left join staff s on s.id = d.by_staff
    where ended_at is not null and answered_at is not null order by d.id desc limit 1`;
  return drill;
}

/** A drill that has begun and not ended. */
interface RunningDrill {
  id: string;
  /** True once it asked for the switch to be turned on. */
  hasAsked: boolean;
  isAbandoned: boolean;
}

export async function findRunningDrill(db: Db): Promise<RunningDrill | undefined> {
  const [drill] = await db<RunningDrill[]>`
    select id::text as id, asked_at is not null as "hasAsked",
           started_at < now() - ${ABANDONED_MINUTES} * interval '1 minute' as "isAbandoned"
    from kill_switch_drill where ended_at is null`;
  return drill;
}
