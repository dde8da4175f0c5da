import { coalesce } from '../core/memory/coalesce.ts';
import type { Pool } from '../core/postgres/db.ts';
import type { Lease } from '../core/memory/lease.ts';
import type { NowOrLater } from '../core/memory/now-or-later.ts';
import { FullWindows, minuteOf, minuteText, minuteWindow, monthText, type CallQuota } from './call-quota.ts';
import { giveCallsBack } from './give-back.ts';
import { monthOf, nextMonth } from './month.ts';
import { PARTNER_PLANS, type PartnerPlanName } from './plans.ts';
import { mayTakeAhead, TakenAhead } from './taken-ahead.ts';

declare module '../core/context.ts' {
  interface Deps {
    partnerCalls: PartnerCalls;
  }
}

const BATCH_MAX = 1_000;
const MILLICENTS_IN_A_CENT = 1_000;

export interface PartnerTake {
  partnerId: string;
  plan: PartnerPlanName;
  /** What may be spent in the month on calls past the allowance; null: they are refused. */
  spendLimitCents: number | null;
  tool: string;
  /** In thousandths of a US cent, past what the plan includes. */
  price: number;
  now: Date;
}

/** What waits for a statement: a call, or none but what is taken ahead. */
interface Waiting extends PartnerTake {
  calls: 0 | 1;
}

/** Calls of one partner to one tool in one minute, all of a batch together. */
interface Group {
  take: PartnerTake;
  minuteMs: number;
  calls: number;
  extra: number;
  share: Share;
}

/** What is left to hand out of what a batch was granted. */
interface Share {
  minuteUsed: number;
  minuteLeft: number;
  monthUsed: number;
  granted: number;
}

const NOTHING: Share = { minuteUsed: 0, minuteLeft: 0, monthUsed: 0, granted: 0 };

/** What the figures of a stock are counted from. */
interface Terms {
  take: PartnerTake;
  minuteUsed: number;
  monthUsed: number;
}

/** So near to what the month includes every call is counted by itself: past it they cost money. */
const NEAR_ALLOWANCE = 1_000;

/**
 * The calls of partners: by minute, by calendar month UTC, and past what the month includes by their price, exactly,
 * whatever node is asked. A call that the minute refuses is not taken from the month, and one that is refused costs
 * nothing.
 */
export class PartnerCalls {
  readonly #pool: Pool;
  readonly #full = new FullWindows();
  readonly #takeOne: (waiting: Waiting) => Promise<Share>;
  readonly #ahead: TakenAhead<Terms>;

  constructor(pool: Pool, lease: Lease) {
    this.#pool = pool;
    this.#takeOne = coalesce((waiting) => this.#takeAll(waiting), BATCH_MAX);
    this.#ahead = new TakenAhead(
      lease,
      ({ terms: { take } }) => this.#takeOne({ ...take, calls: 0 }),
      (stocks) =>
        giveCallsBack(
          pool,
          stocks.map(({ left, minuteMs, terms: { take } }) => ({ ...take, minuteMs, calls: left })),
        ),
    );
  }

  close(): Promise<void> {
    return this.#ahead.close();
  }

  take(take: PartnerTake): NowOrLater<CallQuota> {
    const { per_minute } = PARTNER_PLANS[take.plan];
    const minuteMs = minuteOf(take.now);
    if (this.#full.has(take.partnerId, minuteMs, per_minute)) return quotaOf('minute', take, per_minute);
    const stock = this.#ahead.use(stockName(take), minuteMs);
    if (stock === undefined) return this.#takeFinally(take);
    const { left, terms } = stock;
    return quotaOf(undefined, take, terms.minuteUsed - left, terms.monthUsed - left);
  }

  /** Another node may hold some of what is missing, for two leases at most; after that a refusal is final. */
  async #takeFinally(take: PartnerTake): Promise<CallQuota> {
    let quota = handOut(await this.#takeOne({ ...take, calls: 1 }), take);
    if (quota.refusedBy !== 'minute') return quota;
    if (isAhead(take)) {
      await this.#ahead.lapsed();
      quota = handOut(await this.#takeOne({ ...take, calls: 1 }), take);
    }
    if (quota.refusedBy === 'minute')
      this.#full.add(take.partnerId, minuteOf(take.now), PARTNER_PLANS[take.plan].per_minute);
    return quota;
  }

  /** Makes what is counted of a partner what it called, as far as this node is concerned. */
  settle(partnerId: string): Promise<void> {
    return this.#ahead.settle((name) => name.startsWith(`${partnerId} `));
  }

  async #takeAll(waiting: readonly Waiting[]): Promise<Share[]> {
    const groups = new Map<string, Group>();
    const rounds: Group[][] = [];
    const roundOf = new Map<string, number>();
    const shares = waiting.map((take) => {
      const minuteMs = minuteOf(take.now);
      const key = `${stockName(take)} ${minuteMs}`;
      let group = groups.get(key);
      if (group === undefined) {
        group = { take, minuteMs, calls: 0, extra: 0, share: { ...NOTHING } };
        groups.set(key, group);
        // A statement can change a row once: another tool or minute of the same partner waits for the next.
        const round = roundOf.get(take.partnerId) ?? 0;
        roundOf.set(take.partnerId, round + 1);
        (rounds[round] ??= []).push(group);
      }
      group.calls += take.calls;
      return group.share;
    });
    for (const round of rounds) {
      for (const group of round)
        if (isAhead(group.take))
          group.extra = this.#ahead.more(stockName(group.take), group.minuteMs, group.calls);
      const askedAt = performance.now();
      await takeGroups(this.#pool, round);
      for (const group of round) if (isAhead(group.take)) this.#keepExtra(group, askedAt);
    }
    return shares;
  }

  /** What was granted beyond the calls that waited becomes the stock of the next ones. */
  #keepExtra({ take, minuteMs, calls, share }: Group, askedAt: number): void {
    const { per_minute, included } = PARTNER_PLANS[take.plan];
    const { minuteUsed, monthUsed } = share;
    const extra = Math.max(0, Math.min(share.minuteLeft, share.granted) - calls);
    share.minuteUsed -= extra;
    share.minuteLeft -= extra;
    share.monthUsed -= extra;
    share.granted -= extra;
    const room = Math.min(per_minute - minuteUsed, included - monthUsed - NEAR_ALLOWANCE);
    const terms = { take, minuteUsed, monthUsed };
    this.#ahead.keep({ name: stockName(take), minuteMs, calls, extra, room, terms }, askedAt);
  }
}

function stockName({ partnerId, tool }: PartnerTake): string {
  return `${partnerId} ${tool}`;
}

function isAhead({ plan }: PartnerTake): boolean {
  return mayTakeAhead(PARTNER_PLANS[plan].per_minute, PARTNER_PLANS[plan].included);
}

/** The first to ask in a batch gets the first of what was left, so that the figures count down one by one. */
function handOut(share: Share, take: PartnerTake): CallQuota {
  if (share.minuteLeft === 0) return quotaOf('minute', take, PARTNER_PLANS[take.plan].per_minute);
  share.minuteLeft--;
  const minuteUsed = share.minuteUsed - share.minuteLeft;
  if (share.granted === 0)
    return quotaOf(take.spendLimitCents === null ? 'month' : 'spend', take, minuteUsed, share.monthUsed);
  share.granted--;
  return quotaOf(undefined, take, minuteUsed, share.monthUsed - share.granted);
}

/**
 * Takes from the minute first, from the month what the minute granted, and lets what lies past the allowance be paid
 * for. Lists travel as text, which costs a tenth of the arrays of the protocol.
 */
async function takeGroups(pool: Pool, groups: readonly Group[]): Promise<void> {
  const column = (value: (group: Group) => string | number) => groups.map(value).join('\n');
  const limit = ({ take: { spendLimitCents } }: Group) =>
    spendLimitCents === null ? '' : spendLimitCents * MILLICENTS_IN_A_CENT;
  const [row] = await pool<{ taken: string }[]>`
    with asked as (
      select t.partner_id, t.tool, t.minute_at, t.month, least(t.wanted, t.minute_limit) as wanted, t.price,
             t.minute_limit, t.allowance, t.spend_limit, t.item
      from unnest(
        string_to_array(${column(({ take }) => take.partnerId)}, E'\n'),
        string_to_array(${column(({ take }) => take.tool)}, E'\n'),
        string_to_array(${column(({ minuteMs }) => minuteText(minuteMs))}, E'\n')::timestamptz[],
        string_to_array(${column(({ minuteMs }) => monthText(minuteMs))}, E'\n')::date[],
        string_to_array(${column(({ calls, extra }) => calls + extra)}, E'\n')::int[],
        string_to_array(${column(({ take }) => take.price)}, E'\n')::int[],
        string_to_array(${column(({ take }) => PARTNER_PLANS[take.plan].per_minute)}, E'\n')::int[],
        string_to_array(${column(({ take }) => PARTNER_PLANS[take.plan].included)}, E'\n')::bigint[],
        string_to_array(${column(limit)}, E'\n', '')::bigint[]) with ordinality
        as t(partner_id, tool, minute_at, month, wanted, price, minute_limit, allowance, spend_limit, item)
    ), taken as (
      -- No plan includes less in a month than in a minute, so that the first calls of a month are never past it.
      -- Rows are locked in one order everywhere, so that two nodes never wait for each other.
      insert into partner_month as m (partner_id, month, minute_at, minute_used, calls, cost_millicents, by_tool,
                                      last_tool, price, minute_limit, allowance, spend_limit)
      select partner_id, month, minute_at, wanted, wanted, 0,
             jsonb_build_object(tool, jsonb_build_array(wanted, 0, 0)), tool, price, minute_limit, allowance, spend_limit
      from asked order by partner_id
      on conflict (partner_id, month) do update set
        last_tool = excluded.last_tool, price = excluded.price, minute_limit = excluded.minute_limit,
        allowance = excluded.allowance, spend_limit = excluded.spend_limit,
        (minute_at, minute_used, calls, cost_millicents, by_tool) = (
          select greatest(m.minute_at, excluded.minute_at), was.used + inside.calls, m.calls + free.calls + paid.calls,
                 m.cost_millicents + paid.calls * excluded.price,
                 m.by_tool || jsonb_build_object(excluded.last_tool, jsonb_build_array(
                   coalesce((tool.was->>0)::bigint, 0) + free.calls + paid.calls,
                   coalesce((tool.was->>1)::bigint, 0) + paid.calls,
                   coalesce((tool.was->>2)::bigint, 0) + paid.calls * excluded.price))
          from (select case when m.minute_at >= excluded.minute_at then m.minute_used else 0 end as used) was,
            lateral (select least(excluded.minute_used, greatest(0, excluded.minute_limit - was.used)) as calls) inside,
            lateral (select least(inside.calls, greatest(0, excluded.allowance - m.calls)) as calls) free,
            lateral (select case
              when excluded.spend_limit is null then 0
              when excluded.price = 0 then inside.calls - free.calls
              else least(inside.calls - free.calls,
                         greatest(0, (excluded.spend_limit - m.cost_millicents) / excluded.price))
              end as calls) paid,
            lateral (select m.by_tool->excluded.last_tool as was) tool)
      returning m.partner_id, new.minute_used, new.calls, new.calls - coalesce(old.calls, 0) as granted,
                old.minute_at as old_minute_at, old.minute_used as old_minute_used
    )
    select string_agg(concat_ws(' ', t.minute_used,
             t.minute_used - case when t.old_minute_at >= a.minute_at then t.old_minute_used else 0 end,
             t.calls, t.granted), ',' order by a.item) as taken
    from asked a join taken t on t.partner_id = a.partner_id`;
  const taken = (row?.taken ?? '').split(',');
  for (const [i, { share }] of groups.entries()) {
    const [minuteUsed = 0, minuteLeft = 0, monthUsed = 0, granted = 0] = (taken[i] ?? '')
      .split(' ')
      .map(Number);
    Object.assign(share, { minuteUsed, minuteLeft, monthUsed, granted });
  }
}

function quotaOf(
  refusedBy: 'minute' | 'month' | 'spend' | undefined,
  { plan, spendLimitCents, now }: PartnerTake,
  minuteUsed: number,
  monthUsed?: number,
): CallQuota {
  const { per_minute, included } = PARTNER_PLANS[plan];
  const minute = minuteWindow('minute', per_minute, minuteUsed, minuteOf(now), now);
  // Whoever pays for what lies past the allowance must not be told that nothing is left.
  if (
    monthUsed === undefined ||
    (spendLimitCents !== null && monthUsed >= included && refusedBy === undefined)
  )
    return { refusedBy, windows: [minute] };
  const endMs = nextMonth(now).getTime();
  return {
    refusedBy,
    windows: [
      minute,
      {
        name: 'month',
        limit: included,
        windowSeconds: (endMs - Date.parse(monthOf(now))) / 1000,
        remaining: Math.max(0, included - monthUsed),
        resetsInSeconds: Math.max(1, Math.ceil((endMs - now.getTime()) / 1000)),
      },
    ],
  };
}
