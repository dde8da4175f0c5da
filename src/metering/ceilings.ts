import { actorName, type Actor, type Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Ceiling, Operation } from '../core/operation.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts';
import { windowHeaders, type Window } from './metered-call.ts';
import { AGENT_WRITES } from './plans.ts';
import { secondsUntil } from './periods.ts';
import { rowOf, takeFromWindows, usedOf, type Limit, type Taken } from './rate-window.ts';

interface Counting {
  db: Db;
  deps: Deps;
  now: Date;
  /** The account or address that is counted. */
  countedFor: string;
  /** Where the caller is, for ceilings of each address. */
  address?: string;
  /** What the caller is told of its ceilings. */
  headers: Record<string, string>;
  /** How a wait is worded; programs are told seconds. */
  wait?: (seconds: number) => string;
}

/**
 * Takes one from each ceiling, in one statement, and refuses where one is full. What a ceiling refuses is not taken from
 * longer ones. A refusal tells of the others too.
 */
export async function takeCeilings(
  { db, deps, now, countedFor, address = '', headers, wait = (seconds) => `${seconds} seconds` }: Counting,
  ceilings: readonly Ceiling[],
  others: readonly Ceiling[] = [],
): Promise<void> {
  if (ceilings.length === 0) return;
  const limitOf = ({ name, windowMs, max, refuses, perAddress }: Ceiling) => ({
    name: `${name}/${countedFor}${perAddress === true ? `/${address}` : ''}`,
    max: max(deps),
    windowMs,
    refuses,
  });
  const taken = await takeFromWindows(db, ceilings.map(limitOf), now);
  const full = ceilings.findIndex(({ refuses }, i) => refuses !== false && taken[i]?.allowed === false);
  const ceiling = ceilings[full];
  const windows: Window[] = [];
  for (const [i, told] of [...ceilings, ...(ceiling === undefined ? [] : others)].entries()) {
    const limit = limitOf(told);
    const { remaining, resetsInSeconds } = taken[i] ?? (await stateOf(db, limit, now));
    const windowSeconds = told.windowMs / 1000;
    windows.push({ name: told.name, limit: limit.max, windowSeconds, remaining, resetsInSeconds });
  }
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
async function stateOf(db: Db, limit: Limit, now: Date): Promise<Omit<Taken, 'allowed'>> {
  const row = rowOf(limit, now);
  const { used } = await usedOf(db, row);
  return { remaining: Math.max(0, limit.max - used), resetsInSeconds: secondsUntil(row.endMs, now) };
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
export function ceilingsOf(
  { effect, counts = [] }: Pick<Operation, 'effect' | 'counts'>,
  actor: Actor,
): readonly Ceiling[] {
  if (isUnkeyed(actor)) return counts.flatMap((ceiling) => [ofOneAddress(ceiling), ceiling]);
  return effect !== 'read' && actor.kind === 'agent' ? [...WRITES_OF_AGENTS, ...counts] : counts;
}

/** One address gets at most this part of what strangers share who ask in a partner's name. */
const ADDRESS_SHARE = 1 / 4;

/** The name sorts before that of the shared ceiling, so that a refused address takes nothing from the others. */
function ofOneAddress(ceiling: Ceiling): Ceiling {
  return {
    ...ceiling,
    name: `${ceiling.name}-address`,
    max: (deps) => Math.ceil(ceiling.max(deps) * ADDRESS_SHARE),
    words: `${ceiling.words} Without a key each address has a part of the limit.`,
    perAddress: true,
  };
}

function isUnkeyed(actor: Actor): boolean {
  return actor.kind === 'partner' && actor.unkeyed === true;
}

/**
 * What is open to anybody is counted by address only: a credential that it gives out must not raise the ceiling. Strangers
 * who ask in a partner's name are counted apart from the partner itself, which they must not keep waiting.
 */
export function countedFor({ access }: Operation, actor: Actor): string {
  if (isUnkeyed(actor)) return `unkeyed:${actorName(actor)}`;
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
