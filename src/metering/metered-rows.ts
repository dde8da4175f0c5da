import type { Db } from '../core/postgres/db.ts';
import { momentText } from './periods.ts';
import type { RowName } from './rate-window.ts';

/** A counter row with a minute inside it, and its limits. Its name must not contain a line break. */
export interface WindowRow extends RowName {
  endMs: number;
  max: number;
  minuteMs: number;
  minuteMax: number;
  /** Session that has its own minute, in a row of its own. */
  session?: string | undefined;
  /** For a partner: the tool, and its price past the allowance in thousandths of a US cent. */
  tool?: string;
  price?: number;
  /** In the same unit; null: calls past the allowance are refused. */
  spendLimit?: number | null;
}

interface Counter {
  used: number;
  left: number;
}

/** Units granted from the minute and from the whole window; several sessions of one address share the latter. */
export interface Share {
  minute: Counter;
  whole: Counter;
}

/** Calls that are counted in the same way, and the number to take including the prefetch. */
interface RowRequest {
  row: WindowRow;
  calls: number;
  requested: number;
}

/**
 * Takes from the minute, then from the window; calls past the allowance are never prefetched and may be
 * paid for. Lists are sent as text, which costs a tenth of arrays. Rows are locked in one order everywhere.
 */
export async function takeFromRows(db: Db, requests: readonly RowRequest[]): Promise<Share[]> {
  const kind = requests[0]?.row.kind ?? '';
  const sessions = requests.filter(({ row }) => row.session !== undefined);
  // An address with calls of sessions only is included too, with a count of 0.
  const rows = new Map<string, RowRequest>();
  for (const { row } of sessions) rows.set(row.name, { row, calls: 0, requested: 0 });
  for (const one of requests) if (one.row.session === undefined) rows.set(one.row.name, one);
  const list = [...rows.values()];
  const [result] = await db<{ windows: string; sessions: string | null }[]>`
    with asked as (
      select * from unnest(
        string_to_array(${column(list, ({ row }) => row.name)}, E'\n'),
        string_to_array(${column(list, ({ row }) => momentText(row.startMs))}, E'\n')::timestamptz[],
        string_to_array(${column(list, ({ row }) => momentText(row.endMs))}, E'\n')::timestamptz[],
        string_to_array(${column(list, ({ row }) => momentText(row.minuteMs))}, E'\n')::timestamptz[],
        string_to_array(${column(list, ({ row }) => row.max)}, E'\n')::bigint[],
        string_to_array(${column(list, ({ row }) => row.minuteMax)}, E'\n')::int[],
        string_to_array(${column(list, ({ calls }) => calls)}, E'\n')::int[],
        string_to_array(${column(list, ({ requested }) => requested)}, E'\n')::int[],
        string_to_array(${column(list, ({ row }) => row.tool)}, E'\n', ''),
        string_to_array(${column(list, ({ row }) => row.price)}, E'\n', '')::int[],
        string_to_array(${column(list, ({ row }) => row.spendLimit)}, E'\n', '')::bigint[])
        as t(name, starts_at, ends_at, minute_at, ceiling, minute_ceiling, calls_made, wanted, tool, price,
             spend_limit)
    ), ${sessions.length === 0 ? NO_SESSIONS(db) : countSessions(db, kind, sessions)}, in_window as (
      -- Units granted to sessions are counted besides the minute of the row. No plan includes fewer calls in a month
      -- than in a minute, so the first calls of a month are never past its allowance.
      insert into rate_window as w (kind, name, starts_at, ends_at, used, granted, minute_at, minute_used,
                                    minute_granted, by_tool, ceiling, minute_ceiling, calls_made, tool, price, spend_limit)
      select ${kind}, a.name, starts_at, ends_at, whole.calls, whole.calls, minute_at, in_minute.calls,
             in_minute.calls, case when tool is not null then jsonb_build_object(tool, jsonb_build_array(in_minute.calls, 0, 0)) end,
             ceiling, minute_ceiling, calls_made, tool, price, spend_limit
      from asked a left join by_sessions s on s.name = a.name,
        lateral (select least(wanted, minute_ceiling, ceiling) as calls) in_minute,
        lateral (select least(in_minute.calls + coalesce(s.granted, 0), ceiling) as calls) whole
      order by a.name
      on conflict (kind, name, starts_at) do update set
        ceiling = excluded.ceiling, minute_ceiling = excluded.minute_ceiling, calls_made = excluded.calls_made,
        tool = excluded.tool, price = excluded.price, spend_limit = excluded.spend_limit,
        (minute_at, minute_used, minute_granted, used, granted, cost_millicents, by_tool) = (
          select greatest(w.minute_at, excluded.minute_at), was.used + inside.calls, inside.calls,
                 w.used + free.calls + paid.calls, free.calls + paid.calls, w.cost_millicents + paid.cost,
                 case when excluded.tool is null then w.by_tool
                   else w.by_tool || jsonb_build_object(excluded.tool, jsonb_build_array(
                     coalesce((tool.was->>0)::bigint, 0) + free.calls + paid.calls,
                     coalesce((tool.was->>1)::bigint, 0) + paid.calls,
                     coalesce((tool.was->>2)::bigint, 0) + paid.cost)) end
          from (select case when w.minute_at >= excluded.minute_at then w.minute_used else 0 end as used) was,
            lateral (select least(excluded.minute_used, greatest(0, excluded.minute_ceiling - was.used),
                                  greatest(excluded.calls_made, excluded.ceiling - w.used)) as calls) inside,
            lateral (select least(inside.calls + excluded.used - excluded.minute_used,
                                  greatest(0, excluded.ceiling - w.used)) as calls) free,
            lateral (select calls, calls * coalesce(excluded.price, 0) as cost from (select case
              when excluded.spend_limit is null then 0
              when excluded.price = 0 then inside.calls - free.calls
              else least(inside.calls - free.calls,
                         greatest(0, (excluded.spend_limit - w.cost_millicents) / excluded.price))
              end as calls) p) paid,
            lateral (select w.by_tool->excluded.tool as was) tool)
      returning w.name, w.used - w.granted as before, w.granted, w.minute_used - w.minute_granted as minute_before,
                w.minute_granted
    )
    select (select string_agg(concat_ws(' ', minute_before, minute_granted, before, granted, name), E'\n')
            from in_window) as windows,
           (select string_agg(concat_ws(' ', before, granted, name), E'\n') from in_session) as sessions`;
  const minutes = new Map<string, Counter>();
  const wholes = new Map<string, Counter>();
  for (const text of (result?.windows ?? '').split('\n')) {
    const [minuteUsed, minuteLeft, used, left, ...rest] = text.split(' ');
    const name = rest.join(' ');
    minutes.set(name, { used: Number(minuteUsed), left: Number(minuteLeft) });
    wholes.set(name, { used: Number(used), left: Number(left) });
  }
  for (const text of result?.sessions?.split('\n') ?? []) {
    const [used, left, name = ''] = text.split(' ');
    minutes.set(name, { used: Number(used), left: Number(left) });
  }
  return requests.map(({ row: { name, session } }) => {
    const minute = minutes.get(session ?? name);
    const whole = wholes.get(name);
    if (minute === undefined || whole === undefined) throw new Error('A row was not counted.');
    return { minute, whole };
  });
}

/** Counts the minutes of sessions, which are rows of their own, and sums what they granted to each address. */
function countSessions(db: Db, kind: string, sessions: readonly RowRequest[]) {
  return db`
    of_sessions as (
      select * from unnest(
        string_to_array(${column(sessions, ({ row }) => row.session)}, E'\n'),
        string_to_array(${column(sessions, ({ row }) => row.name)}, E'\n'),
        string_to_array(${column(sessions, ({ row }) => momentText(row.minuteMs))}, E'\n')::timestamptz[],
        string_to_array(${column(sessions, ({ row }) => row.minuteMax)}, E'\n')::int[],
        string_to_array(${column(sessions, ({ requested }) => requested)}, E'\n')::int[])
        as t(session, name, minute_at, ceiling, wanted)
    ), in_session as (
      insert into rate_window as w (kind, name, starts_at, ends_at, used, granted, ceiling)
      select ${kind}, session, minute_at, minute_at + interval '1 minute', least(wanted, ceiling),
             least(wanted, ceiling), ceiling
      from of_sessions order by session
      on conflict (kind, name, starts_at) do update
        set (used, granted) = (select w.used + more.calls, more.calls from (select greatest(0,
              least(excluded.used, excluded.ceiling - w.used)) as calls) more), ceiling = excluded.ceiling
      returning w.name, w.used - w.granted as before, w.granted
    ), by_sessions as (
      select o.name, sum(granted) as granted from of_sessions o join in_session s on s.name = session group by o.name
    )`;
}

/** Empty results of the same names, for requests without sessions. */
const NO_SESSIONS = (db: Db) => db`
    in_session as (select null as name, 0 as before, 0 as granted where false),
    by_sessions as (select null as name, 0 as granted where false)`;

function column(
  requests: readonly RowRequest[],
  value: (one: RowRequest) => string | number | null | undefined,
): string {
  return requests.map((one) => value(one) ?? '').join('\n');
}

interface ReturnedCalls {
  row: WindowRow;
  calls: number;
  keepsMinute?: boolean;
}

/** Returns units that were taken and not used; none of them was paid for (takeFromRows). */
export async function returnUnused(db: Db, returned: readonly ReturnedCalls[]): Promise<void> {
  for (const round of splitIntoStatements(returned, (one) => [[one.row.name, one]]))
    await db`
      update rate_window w set used = greatest(0, w.used - g.calls),
        minute_used = case when w.minute_at = g.given_minute then greatest(0, w.minute_used - g.calls)
                      else w.minute_used end,
        by_tool = case when g.given_tool is null then w.by_tool
                  else jsonb_set(w.by_tool, array[g.given_tool, '0'],
                                 to_jsonb(greatest(0, (w.by_tool->g.given_tool->>0)::bigint - g.calls))) end
      from (
        select w.kind, w.name, w.starts_at, given_minute, given_tool, calls from rate_window w
        join unnest(${round.map(({ row }) => row.kind)}::text[], ${round.map(({ row }) => row.name)}::text[],
                    ${round.map(({ row }) => momentText(row.startMs))}::text[]::timestamptz[],
                    ${round.map(({ row, keepsMinute }) => (keepsMinute === true ? null : momentText(row.minuteMs)))}::text[]::timestamptz[],
                    ${round.map(({ row }) => row.tool ?? null)}::text[], ${round.map(({ calls }) => calls)}::int[])
          as asked(kind, name, starts_at, given_minute, given_tool, calls) using (kind, name, starts_at)
        order by w.kind, w.name for update of w) g
      where w.kind = g.kind and w.name = g.name and w.starts_at = g.starts_at`;
}

/** Splits changes into statements, because a statement can change a row only once. */
export function splitIntoStatements<Item>(
  items: Iterable<Item>,
  changesOf: (item: Item) => readonly (readonly [row: string, change: unknown])[],
): Item[][] {
  const rounds: { items: Item[]; changes: Map<string, unknown> }[] = [];
  for (const item of items) {
    const changes = changesOf(item);
    let round = rounds.find((one) =>
      changes.every(([row, change]) => (one.changes.get(row) ?? change) === change),
    );
    if (round === undefined) rounds.push((round = { items: [], changes: new Map() }));
    round.items.push(item);
    for (const [row, change] of changes) round.changes.set(row, change);
  }
  return rounds.map((round) => round.items);
}
