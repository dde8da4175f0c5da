import { actorName, type Actor, type Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Ceiling, Operation } from '../../core/operation.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AGENT_WRITES } from '../../metering/plans.ts';
import { takeFromWindows, type Taken } from '../../metering/rate-window.ts';

/** Writes are free and no part of any plan; this only keeps an agent that runs wild from burying the reviewers. */
const WRITES_OF_AGENTS: readonly Ceiling[] = (
  [
    ['minute', AGENT_WRITES.per_minute, 60_000],
    ['day', AGENT_WRITES.per_day, 86_400_000],
  ] as const
).map(([span, max, windowMs]) => ({
  name: `writes-${span}`,
  code: 'write_burst',
  windowMs,
  max: () => max,
  words: `More than ${max} writes came within a ${span}. Nothing was changed.`,
  counts: 'calls',
}));

/** All that a call is counted against. */
export function ceilingsOf({ effect, counts = [] }: Operation, actor: Actor): readonly Ceiling[] {
  return effect !== 'read' && actor.kind === 'agent' ? [...WRITES_OF_AGENTS, ...counts] : counts;
}

interface Counting {
  db: Db;
  deps: Deps;
  operation: Operation;
  actor: Actor;
  input: Record<string, unknown>;
  now: Date;
  /** What the caller is told of its ceilings. */
  headers: Record<string, string>;
}

/** Takes one from each ceiling of a kind, and refuses the call where one was full. */
export async function takeCeilings(counting: Counting, kind: Ceiling['counts']): Promise<void> {
  const { db, deps, operation, actor, input, now, headers } = counting;
  const ceilings = ceilingsOf(operation, actor).filter(
    ({ counts, when }) => counts === kind && when?.(input) !== false,
  );
  if (ceilings.length === 0) return;
  const limits = ceilings.map((ceiling) => ({
    name: `${ceiling.name}/${countedFor(operation, actor)}`,
    max: ceiling.max(deps),
    windowMs: ceiling.windowMs,
  }));
  const taken = await takeFromWindows(db, limits, now);
  for (const [i, ceiling] of ceilings.entries())
    tell(headers, ceiling, limits[i]?.max ?? 0, taken[i] as Taken);
  const full = ceilings.findIndex(({ refuses }, i) => refuses !== false && taken[i]?.allowed === false);
  const ceiling = ceilings[full];
  if (ceiling !== undefined) throw refusal(ceiling, taken[full] as Taken, headers);
}

/** What is open to anybody is counted by address only: a credential that it gives out must not raise the ceiling. */
function countedFor({ access }: Operation, actor: Actor): string {
  return access.who === 'anyone'
    ? actorName({ kind: 'anonymous', address: actor.address })
    : actorName(actor);
}

/** The draft of the IETF: which ceilings there are, and what is left below each. */
function tell(headers: Record<string, string>, { name, windowMs }: Ceiling, max: number, taken: Taken): void {
  const add = (header: string, text: string) =>
    (headers[header] = headers[header] === undefined ? text : `${headers[header]}, ${text}`);
  add('ratelimit-policy', `"${name}";q=${max};w=${windowMs / 1000}`);
  add('ratelimit', `"${name}";r=${taken.remaining};t=${taken.resetsInSeconds}`);
}

function refusal(
  { name, code, words }: Ceiling,
  { resetsInSeconds }: Taken,
  headers: Record<string, string>,
): AppError {
  return new AppError(code, words, {
    retryAfterSeconds: resetsInSeconds,
    violatedPolicies: [name],
    headers: { ...headers },
    hint: `Try again in ${resetsInSeconds} seconds.`,
  });
}
