import { actorName, type Actor, type Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Ceiling, Operation } from '../core/operation.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts';
import { windowHeaders } from './metered-call.ts';
import { AGENT_WRITES } from './plans.ts';
import { secondsUntil } from './periods.ts';
import { rowOf, takeFromWindows, usedOf, type Limit } from './rate-window.ts';

interface Counting {
  db: Db;
  deps: Deps;
  now: Date;
  /** The account or address that is counted. */
  countedFor: string;
  /** What the caller is told of its ceilings. */
  headers: Record<string, string>;
  /** How a wait is worded; programs are told seconds. */
  wait?: (seconds: number) => string;
}

/** Takes one from each ceiling, in one statement, and refuses where one was full. A refusal tells of the others too. */
export async function takeCeilings(
  { db, deps, now, countedFor, headers, wait = (seconds) => `${seconds} seconds` }: Counting,
  ceilings: readonly Ceiling[],
  others: readonly Ceiling[] = [],
): Promise<void> {
  if (ceilings.length === 0) return;
  const limitOf = ({ name, windowMs, max }: Ceiling) => ({
    name: `${name}/${countedFor}`,
    max: max(deps),
    windowMs,
  });
  const limits = ceilings.map(limitOf);
  const taken = await takeFromWindows(db, limits, now);
  const windows = ceilings.map(({ name, windowMs }, i) => {
    const { remaining = 0, resetsInSeconds = 1 } = taken[i] ?? {};
    return { name, limit: limits[i]?.max ?? 0, windowSeconds: windowMs / 1000, remaining, resetsInSeconds };
  });
  const full = ceilings.findIndex(({ refuses }, i) => refuses !== false && taken[i]?.allowed === false);
  const ceiling = ceilings[full];
  if (ceiling !== undefined)
    for (const other of others) windows.push(await stateOf(db, other, limitOf(other), now));
  for (const [header, text] of Object.entries(windowHeaders(windows)))
    headers[header] = headers[header] === undefined ? text : `${headers[header]}, ${text}`;
  if (ceiling === undefined) return;
  const retryAfterSeconds = taken[full]?.resetsInSeconds ?? 1;
  throw new AppError(ceiling.code, ceiling.words, {
    retryAfterSeconds,
    violatedPolicies: [ceiling.name],
    headers: { ...headers },
    hint: `Try again in ${wait(retryAfterSeconds)}.`,
  });
}

/** How much of a ceiling is left, without taking any of it. */
async function stateOf(db: Db, { name, windowMs }: Ceiling, limit: Limit, now: Date) {
  const row = rowOf(limit, now);
  const { used } = await usedOf(db, row);
  const resetsInSeconds = secondsUntil(row.endMs, now);
  return {
    name,
    limit: limit.max,
    windowSeconds: windowMs / 1000,
    remaining: limit.max - used,
    resetsInSeconds,
  };
}

/** Writes are free and no part of any plan; this only keeps an agent that runs wild from burying the reviewers. */
const WRITES_OF_AGENTS: readonly Ceiling[] = (
  [
    ['minute', AGENT_WRITES.per_minute, MINUTE_MS],
    ['day', AGENT_WRITES.per_day, DAY_MS],
  ] as const
).map(([span, max, windowMs]) => ({
  name: `writes-${span}`,
  code: 'write_burst',
  windowMs,
  max: () => max,
  words: `More than ${max} writes came within a ${span}. Nothing was changed.`,
  counts: 'calls',
}));

/** All that a call of an operation is counted against. */
export function ceilingsOf({ effect, counts = [] }: Operation, actor: Actor): readonly Ceiling[] {
  return effect !== 'read' && actor.kind === 'agent' ? [...WRITES_OF_AGENTS, ...counts] : counts;
}

/** What is open to anybody is counted by address only: a credential that it gives out must not raise the ceiling. */
export function countedFor({ access }: Operation, actor: Actor): string {
  return actorName(access.who === 'anyone' ? { kind: 'anonymous', address: actor.address } : actor);
}

/** How many accounts one address opens in an hour. */
export function signUpCeiling(name: string, max: (deps: Deps) => number): Ceiling {
  return {
    name,
    code: 'signup_rate_limited',
    windowMs: HOUR_MS,
    max,
    words: 'Too many sign-ups came from this address within an hour. Nothing was changed.',
    counts: 'calls',
  };
}
