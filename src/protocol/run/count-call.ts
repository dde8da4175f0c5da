import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Ceiling, Operation, Warning } from '../../core/operation.ts';
import type { Db, InTransaction, Pool } from '../../core/postgres/db.ts';
import { ceilingsOf, countedFor, takeCeilings } from '../../metering/ceilings.ts';
import { namesReceiver, vetReceivers } from './vet-receivers.ts';

/** What is counted: whose call it is, what it sent, and when. */
interface CountedCall {
  call: { actor: Actor };
  input: Record<string, unknown>;
  warnings: Warning[];
  now: Date;
  /** What the caller is told of its ceilings. */
  headers: Record<string, string>;
}

/** The ceilings that count every call, or those that count what was done. */
function ceilingsFor(
  operation: Operation,
  { call, input }: CountedCall,
  kind: Ceiling['counts'],
): readonly Ceiling[] {
  return ceilingsOf(operation, call.actor).filter(
    ({ counts, when }) => counts === kind && when?.(input) !== false,
  );
}

export function takeKind(
  deps: Deps,
  operation: Operation,
  counted: CountedCall,
  db: Db,
  kind: Ceiling['counts'],
): Promise<void> {
  const { call, now, headers } = counted;
  const others = kind === 'calls' ? ceilingsFor(operation, counted, 'done') : [];
  const counting = { db, deps, now, headers, countedFor: countedFor(operation, call.actor) };
  return takeCeilings(counting, ceilingsFor(operation, counted, kind), others);
}

/** Callers of whom a ceiling was found full, and until when. It decides only when a call is counted, never whether. */
const full = new WeakMap<Pool, Map<string, number>>();
const REMEMBERED_MAX = 50_000;

/**
 * Counts a call, whatever becomes of it: with its work, so that it waits for the disk once, and last, so that no other call
 * of the same caller waits for its work. Where that is refused, all of it is undone. What is refused for another reason
 * is counted by itself, and where that is refused too, nobody hears the other reason.
 */
export async function writeCounted<Result extends object>(
  deps: Deps,
  operation: Operation,
  counted: CountedCall,
  inTransaction: InTransaction,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  const { call, input, now } = counted;
  const caller = countedFor(operation, call.actor);
  const count = (db: Db, headers: Record<string, string>) =>
    takeKind(deps, operation, { ...counted, headers }, db, 'calls');
  // No transaction is open while name servers are asked, and whoever goes on past a ceiling is refused before any work.
  if (namesReceiver(operation, input) || (full.get(deps.pool)?.get(caller) ?? 0) > now.getTime()) {
    await count(deps.pool, counted.headers);
    counted.warnings.push(...(await vetReceivers(deps, operation, input)));
    return inTransaction(work);
  }
  try {
    return await inTransaction(async (tx) => {
      const result = await work(tx);
      const headers: Record<string, string> = {};
      await count(tx, headers);
      for (const [name, told] of Object.entries(counted.headers))
        headers[name] = name in headers ? `${headers[name]}, ${told}` : told;
      Object.assign(counted.headers, headers);
      return result;
    });
  } catch (thrown) {
    await count(deps.pool, {}).catch((refused: unknown) => {
      if (!(refused instanceof AppError)) throw thrown;
      rememberFull(deps.pool, caller, now.getTime() + (refused.retryAfterSeconds ?? 0) * 1000);
      throw refused;
    });
    throw thrown;
  }
}

function rememberFull(pool: Pool, caller: string, untilMs: number): void {
  const callers = full.get(pool) ?? new Map<string, number>();
  if (callers.size >= REMEMBERED_MAX) callers.clear();
  full.set(pool, callers.set(caller, untilMs));
}
