import type { Actor } from '../core/context.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import { DAY_MS, MINUTE_MS } from '../core/time.ts';
import { minuteOf, monthEnd, monthStart, secondsUntil, windowStart } from './periods.ts';
import { AGENT_PLANS, PARTNER_PLANS, UNKEYED_CALLS } from './plans.ts';
import type { WindowRow } from './metered-rows.ts';

const MILLICENTS_IN_A_CENT = 1_000;

export interface MeteredCall extends WindowRow {
  kind: 'reads' | 'calls' | 'unkeyed';
  now: Date;
}

export function agentRead(
  { id, plan }: Pick<Actor & { kind: 'agent' }, 'id' | 'plan'>,
  now: Date,
): MeteredCall {
  const startMs = windowStart(DAY_MS, now);
  return {
    kind: 'reads',
    name: id,
    startMs,
    endMs: startMs + DAY_MS,
    max: AGENT_PLANS[plan].reads_per_day,
    minuteMs: minuteOf(now),
    minuteMax: AGENT_PLANS[plan].reads_per_minute,
    now,
  };
}

/** A call of a partner, counted by minute and calendar month UTC, and by its price past the month's allowance. */
export function partnerCall(
  { id, plan, spendLimitCents }: Pick<Actor & { kind: 'partner' }, 'id' | 'plan' | 'spendLimitCents'>,
  { tool, price }: { tool: string; price: number },
  now: Date,
): MeteredCall {
  return {
    kind: 'calls',
    name: id,
    startMs: monthStart(now),
    endMs: monthEnd(now),
    max: PARTNER_PLANS[plan].included,
    minuteMs: minuteOf(now),
    minuteMax: PARTNER_PLANS[plan].per_minute,
    tool,
    price,
    spendLimit: spendLimitCents === null ? null : spendLimitCents * MILLICENTS_IN_A_CENT,
    now,
  };
}

/** An unkeyed call, counted by session or address, and once more over the whole address. */
export function unkeyedCall(session: string | undefined, address: AddressGroup, now: Date): MeteredCall {
  const minuteMs = minuteOf(now);
  return {
    kind: 'unkeyed',
    name: `address/${address}`,
    session: session === undefined ? undefined : `session/${session}`,
    startMs: minuteMs,
    endMs: minuteMs + MINUTE_MS,
    max: UNKEYED_CALLS.per_minute_per_address,
    minuteMs,
    minuteMax: UNKEYED_CALLS.per_minute,
    now,
  };
}

export interface Window {
  name: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetsInSeconds: number;
}

export interface Quota {
  /** Name of the limit that refused the call; undefined when it was granted. */
  refusedBy: 'minute' | 'daily' | 'month' | 'spend' | 'unkeyed' | 'address' | undefined;
  /** In the order of the response: for a read the day and the minute, otherwise the shorter one first. */
  windows: readonly [Window, ...Window[]];
}

const NAMES = {
  reads: ['minute', 'daily'],
  calls: ['minute', 'month'],
  unkeyed: ['unkeyed', 'address'],
} as const;

/** Builds the quota of a call. A refusal from memory leaves out the window whose usage is unknown. */
export function quotaOf(
  call: MeteredCall,
  refused: 'minute' | 'whole' | undefined,
  minuteUsed: number | undefined,
  used: number | undefined,
): Quota {
  const { kind, spendLimit = null } = call;
  const [minuteName, name] = NAMES[kind];
  const refusedBy =
    refused === 'minute' ? minuteName : refused && (spendLimit === null ? name : ('spend' as const));
  const windows: Window[] = [];
  if (minuteUsed !== undefined)
    windows.push(windowOf(minuteName, call.minuteMax, minuteUsed, call.minuteMs, MINUTE_MS, call.now));
  if (used !== undefined && isReported(call, refused, used)) {
    const whole = windowOf(name, call.max, used, call.startMs, call.endMs - call.startMs, call.now);
    if (kind === 'reads') windows.unshift(whole);
    else windows.push(whole);
  }
  return { refusedBy, windows: windows as [Window, ...Window[]] };
}

/** A caller who pays past the allowance must not get the message that nothing is left. */
function isReported(
  { kind, spendLimit, max }: MeteredCall,
  refused: string | undefined,
  used: number,
): boolean {
  if (kind !== 'calls' || refused === 'whole') return true;
  return refused === undefined && (spendLimit === null || used < max);
}

function windowOf(
  name: string,
  limit: number,
  used: number,
  startMs: number,
  windowMs: number,
  now: Date,
): Window {
  const resetsInSeconds = secondsUntil(startMs + windowMs, now);
  return {
    name,
    limit,
    windowSeconds: windowMs / 1000,
    remaining: Math.max(0, limit - used),
    resetsInSeconds,
  };
}

export function windowHeaders(windows: readonly Window[]): Record<string, string> {
  let policy = '';
  let left = '';
  for (const { name, limit, windowSeconds, remaining, resetsInSeconds } of windows) {
    const comma = policy === '' ? '' : ', ';
    policy += `${comma}"${name}";q=${limit};w=${windowSeconds}`;
    left += `${comma}"${name}";r=${remaining};t=${resetsInSeconds}`;
  }
  return { 'ratelimit-policy': policy, ratelimit: left };
}
