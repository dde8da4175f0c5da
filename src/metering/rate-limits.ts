import { actorName, type Actor, type Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { RateLimit, Operation } from '../core/operation.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts';
import { windowHeaders, type Window } from './metered-call.ts';
import { AGENT_WRITES } from './plans.ts';
import { secondsUntil } from './periods.ts';
import { rowOf, takeFromWindows, usedOf, type Limit, type RateLimitResult } from './rate-window.ts';

interface Counting {
  db: Db;
  deps: Deps;
  now: Date;
  countedFor: string;
  address?: string;
  headers: Record<string, string>;
  /** True for reads: while the database cannot count them, this node alone limits them. */
  isRead?: boolean;
  /** Formats a waiting time for people; programs get seconds. */
  wait?: (seconds: number) => string;
}

/** Counts a call against each limit in one statement. Throws when one is reached, with the state of all. */
export async function takeRateLimits(
  {
    db,
    deps,
    now,
    countedFor: rateLimitSubject,
    address = '',
    headers,
    isRead = false,
    wait = (seconds) => `${seconds} seconds`,
  }: Counting,
  limits: readonly RateLimit[],
  others: readonly RateLimit[] = [],
): Promise<void> {
  if (limits.length === 0) return;
  const limitOf = ({ name, windowMs, max, refuses, perAddress }: RateLimit) => ({
    name: `${name}/${rateLimitSubject}${perAddress === true ? `/${address}` : ''}`,
    max: max(deps),
    windowMs,
    refuses,
  });
  const counted = limits.map(limitOf);
  const results = await takeFromWindows(db, counted, now).catch((thrown: unknown) => {
    if (!isRead) throw thrown;
    return deps.meter.takeLimitsHere(counted, now, thrown);
  });
  const full = limits.findIndex(({ refuses }, i) => refuses !== false && results[i]?.allowed === false);
  const reached = limits[full];
  const windows: Window[] = [];
  for (const [i, reported] of [...limits, ...(reached === undefined ? [] : others)].entries()) {
    const limit = limitOf(reported);
    const { remaining, resetsInSeconds } = results[i] ?? (await stateOf(db, limit, now));
    const windowSeconds = reported.windowMs / 1000;
    windows.push({ name: reported.name, limit: limit.max, windowSeconds, remaining, resetsInSeconds });
  }
  for (const [header, text] of Object.entries(windowHeaders(windows)))
    headers[header] = headers[header] === undefined ? text : `${headers[header]}, ${text}`;
  if (reached === undefined) return;
  const retryAfterSeconds = results[full]?.resetsInSeconds ?? 1;
  throw new AppError(reached.code ?? 'rate_limited', reached.message, {
    retryAfterSeconds,
    violatedPolicies: [reached.name],
    headers: { ...headers },
    hint: `Try again in ${wait(retryAfterSeconds)}.`,
  });
}

async function stateOf(db: Db, limit: Limit, now: Date): Promise<Omit<RateLimitResult, 'allowed'>> {
  const row = rowOf(limit, now);
  const { used } = await usedOf(db, row);
  return { remaining: Math.max(0, limit.max - used), resetsInSeconds: secondsUntil(row.endMs, now) };
}

/** Writes are free and no part of any plan; this limit only keeps a runaway agent from flooding the reviewers. */
const WRITES_OF_AGENTS: readonly RateLimit[] = (
  [
    ['minute', AGENT_WRITES.per_minute, MINUTE_MS],
    ['day', AGENT_WRITES.per_day, DAY_MS],
  ] as const
).map(([span, max, windowMs]) => ({
  name: `writes-${span}`,
  code: 'write_burst',
  windowMs,
  max: () => max,
  message: `More than ${max} writes were sent within a ${span}. Nothing was changed.`,
}));

export function rateLimitsOf(
  { effect, rateLimits = [] }: Pick<Operation, 'effect' | 'rateLimits'>,
  actor: Actor,
): readonly RateLimit[] {
  if (isUnkeyed(actor)) return rateLimits.flatMap((limit) => [ofOneAddress(limit), limit]);
  return effect !== 'read' && actor.kind === 'agent' ? [...WRITES_OF_AGENTS, ...rateLimits] : rateLimits;
}

/** Share of one address in the quota for unkeyed calls in a partner's name. */
const ADDRESS_SHARE = 1 / 4;

/**
 * Returns the limit of one address. In row names `-address/` sorts before the `/` of the shared limit, so it is taken
 * first, and a refused address takes nothing from the others.
 */
function ofOneAddress(limit: RateLimit): RateLimit {
  return {
    ...limit,
    name: `${limit.name}-address`,
    max: (deps) => Math.ceil(limit.max(deps) * ADDRESS_SHARE),
    message: `${limit.message} Without a key, each address has a share of the limit.`,
    perAddress: true,
  };
}

function isUnkeyed(actor: Actor): boolean {
  return actor.kind === 'partner' && actor.unkeyed === true;
}

/** Public operations are counted by address only, and unkeyed calls in a partner's name apart from the partner. */
export function countedFor({ access }: Operation, actor: Actor): string {
  if (isUnkeyed(actor)) return `unkeyed:${actorName(actor)}`;
  return actorName(access.who === 'anyone' ? { kind: 'anonymous', address: actor.address } : actor);
}

export function signUpLimit(name: string, max: (deps: Deps) => number): RateLimit {
  return {
    name,
    code: 'signup_rate_limited',
    windowMs: HOUR_MS,
    max,
    message: 'Too many sign-ups came from this address within an hour. Nothing was changed.',
  };
}
