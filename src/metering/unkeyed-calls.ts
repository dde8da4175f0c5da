import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/memory/coalesce.ts';
import type { Db, Pool } from '../core/postgres/db.ts';
import { FullWindows, MINUTE_MS, minuteOf, minuteText, minuteWindow, type CallQuota } from './call-quota.ts';
import { UNKEYED_CALLS } from './plans.ts';

declare module '../core/context.ts' {
  interface Deps {
    unkeyedCalls: UnkeyedCalls;
  }
}

const BATCH_MAX = 1_000;
const FORGET_MAX = 100_000;
const { per_minute: OWN_MAX, per_minute_per_address: ADDRESS_MAX } = UNKEYED_CALLS;

interface Take {
  /** The session that the call belongs to; without one the address counts. */
  session: string | undefined;
  address: string;
  now: Date;
}

/** What a batch asks of one session or address, and what is left to hand out of what it got. */
interface Counter {
  used: number;
  left: number;
}

/** All calls of an address, and what is left for its sessions. */
interface AddressCounter {
  leftForSessions: number;
  allUsed: number;
}

interface Ask {
  session: string | undefined;
  address: string;
  minuteMs: number;
}

/** All calls of a batch of one session from one address, or of an address without a session, in one minute. */
interface Group extends Ask {
  calls: number;
  own: Counter;
  ofAddress: AddressCounter;
}

/**
 * Calls without a key, counted by session or address and once more over all sessions of an address, exactly, whatever
 * node is asked. A call that its session refuses is not taken from its address.
 */
export class UnkeyedCalls {
  readonly #pool: Pool;
  readonly #full = new FullWindows();
  readonly #forgetting: NodeJS.Timeout;
  readonly #takeOne: (ask: Ask) => Promise<Group>;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#takeOne = coalesce((asks) => this.#takeAll(asks), BATCH_MAX);
    // Every caller leaves a row, and there may be thousands in a second; a database that is gone is asked again.
    const forget = () => void forgetPastCalls(pool, clock.now()).catch(() => undefined);
    this.#forgetting = setInterval(forget, MINUTE_MS).unref();
  }

  close(): void {
    clearInterval(this.#forgetting);
  }

  async take({ session, address, now }: Take): Promise<CallQuota> {
    const minuteMs = minuteOf(now);
    const own = session ?? `alone/${address}`;
    if (this.#full.has(own, minuteMs, OWN_MAX)) return quotaOf('unkeyed', minuteMs, OWN_MAX, undefined, now);
    if (this.#full.has(address, minuteMs, ADDRESS_MAX))
      return quotaOf('address', minuteMs, undefined, ADDRESS_MAX, now);
    const group = await this.#takeOne({ session, address, minuteMs });
    const refusedBy = handOut(group);
    if (refusedBy === 'unkeyed') this.#full.add(own, minuteMs, OWN_MAX);
    if (refusedBy === 'address') this.#full.add(address, minuteMs, ADDRESS_MAX);
    return quotaOf(refusedBy, minuteMs, group.own.used, group.ofAddress.allUsed, now);
  }

  async #takeAll(asks: readonly Ask[]): Promise<Group[]> {
    const groups = new Map<string, Group>();
    const taken = asks.map((ask) => {
      const key = `${ask.minuteMs} ${ask.session ?? ''} ${ask.address}`;
      let group = groups.get(key);
      if (group === undefined)
        groups.set(key, (group = { ...ask, calls: 0, own: NO_CALLS, ofAddress: NO_ADDRESS }));
      group.calls++;
      return group;
    });
    for (const round of roundsOf(groups.values())) await takeGroups(this.#pool, round);
    return taken;
  }
}

const NO_CALLS: Counter = { used: 0, left: 0 };
const NO_ADDRESS: AddressCounter = { leftForSessions: 0, allUsed: 0 };

/**
 * A statement can change a row once. What would change one again waits for the next statement: the minute after, and
 * a session that comes from a second address at the same moment.
 */
function roundsOf(groups: Iterable<Group>): Group[][] {
  const rounds = new Map<string, Group[]>();
  const places = new Map<string, number>();
  for (const group of groups) {
    const name = `${group.minuteMs} ${group.session ?? ''}`;
    const place = group.session === undefined ? 0 : (places.get(name) ?? 0);
    places.set(name, place + 1);
    const key = `${group.minuteMs} ${place}`;
    const round = rounds.get(key);
    if (round === undefined) rounds.set(key, [group]);
    else round.push(group);
  }
  return [...rounds.values()];
}

/** The first to ask in a batch gets the first of what was left, so that the figures count down one by one. */
function handOut({ session, own, ofAddress }: Group): 'unkeyed' | 'address' | undefined {
  if (own.left === 0) return own.used >= OWN_MAX ? 'unkeyed' : 'address';
  own.left--;
  own.used++;
  if (session !== undefined) {
    if (ofAddress.leftForSessions === 0) return 'address';
    ofAddress.leftForSessions--;
  }
  ofAddress.allUsed++;
  return undefined;
}

/**
 * Takes from sessions first, and from addresses what is asked of them alone and what their sessions were granted.
 * Lists travel as text, which costs a tenth of the arrays of the protocol.
 */
async function takeGroups(pool: Pool, groups: readonly Group[]): Promise<void> {
  const column = (value: (group: Group) => string | number) => groups.map(value).join('\n');
  const [row] = await pool<{ taken: string }[]>`
    with asked as (
      select t.session, t.address, t.minute_at, t.calls, t.item from unnest(
        string_to_array(${column(({ session }) => (session === undefined ? '' : `session/${session}`))}, E'\n', ''),
        string_to_array(${column(({ address }) => `address/${address}`)}, E'\n'),
        string_to_array(${column(({ minuteMs }) => minuteText(minuteMs))}, E'\n')::timestamptz[],
        string_to_array(${column(({ calls }) => calls)}, E'\n')::int[]) with ordinality
        as t(session, address, minute_at, calls, item)
    ), in_session as (
      -- Rows are locked in one order everywhere, so that two nodes never wait for each other.
      insert into call_window as w (name, minute_at, used, all_used)
      select session, minute_at, least(calls, ${OWN_MAX}), ${OWN_MAX} from asked where session is not null order by session
      on conflict (name) do update set minute_at = greatest(w.minute_at, excluded.minute_at),
        used = case when w.minute_at < excluded.minute_at then excluded.used
               else greatest(w.used, least(w.used + excluded.used, ${OWN_MAX})) end
      returning w.name, new.used, new.used - case when old.minute_at >= new.minute_at then old.used else 0 end as granted
    ), in_address as (
      insert into call_window as w (name, minute_at, used, all_used)
      select address, minute_at, alone, least(alone + by_sessions, ${ADDRESS_MAX}) from (
        select a.address, a.minute_at, coalesce(sum(s.granted), 0)::int as by_sessions,
               least(coalesce(sum(a.calls) filter (where a.session is null), 0), ${OWN_MAX})::int as alone
        from asked a left join in_session s on s.name = a.session group by a.address, a.minute_at) b
      order by address
      on conflict (name) do update set (minute_at, used, all_used) = (
        select greatest(w.minute_at, excluded.minute_at), was.used + alone.calls,
               was.all_used + alone.calls
                 + least(excluded.all_used - excluded.used, greatest(0, ${ADDRESS_MAX} - was.all_used - alone.calls))
        from (select case when w.minute_at >= excluded.minute_at then w.used else 0 end as used,
                     case when w.minute_at >= excluded.minute_at then w.all_used else 0 end as all_used) was,
          lateral (select greatest(0, least(
            excluded.used, ${OWN_MAX} - was.used, ${ADDRESS_MAX} - was.all_used)) as calls) alone)
      returning w.name, new.used, new.used - case when old.minute_at >= new.minute_at then old.used else 0 end as granted,
                new.all_used, new.all_used - case when old.minute_at >= new.minute_at then old.all_used else 0 end as all_granted
    )
    select string_agg(concat_ws(' ', coalesce(s.used, i.used), coalesce(s.granted, i.granted), i.all_used, i.all_granted,
                                i.granted), ',' order by a.item) as taken
    from asked a left join in_session s on s.name = a.session join in_address i on i.name = a.address`;
  const taken = (row?.taken ?? '').split(',');
  const addresses = new Map<string, AddressCounter>();
  for (const [i, group] of groups.entries()) {
    const [used = 0, granted = 0, allUsed = 0, allGranted = 0, alone = 0] = (taken[i] ?? '')
      .split(' ')
      .map(Number);
    let ofAddress = addresses.get(group.address);
    if (ofAddress === undefined) {
      ofAddress = { leftForSessions: allGranted - alone, allUsed: allUsed - allGranted };
      addresses.set(group.address, ofAddress);
    }
    group.ofAddress = ofAddress;
    group.own = { used: used - granted, left: granted };
  }
}

/** What was refused without asking the database is told without the figure that nobody asked for. */
function quotaOf(
  refusedBy: 'unkeyed' | 'address' | undefined,
  minuteMs: number,
  ownUsed: number | undefined,
  addressUsed: number | undefined,
  now: Date,
): CallQuota {
  const windows = [];
  if (ownUsed !== undefined) windows.push(minuteWindow('unkeyed', OWN_MAX, ownUsed, minuteMs, now));
  if (addressUsed !== undefined)
    windows.push(minuteWindow('address', ADDRESS_MAX, addressUsed, minuteMs, now));
  return { refusedBy, windows };
}

/** Forgets counts of minutes that have passed. Rows that somebody is writing are left for the next time. */
export async function forgetPastCalls(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - MINUTE_MS);
  for (let gone = FORGET_MAX; gone === FORGET_MAX;) {
    const forgotten = await db`
      delete from call_window where name in (
        select name from call_window where minute_at < ${before} limit ${FORGET_MAX} for update skip locked)`;
    gone = forgotten.count;
  }
}
