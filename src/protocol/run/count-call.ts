import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Ceiling, Operation, Warning } from '../../core/operation.ts';
import type { Db, InTransaction } from '../../core/postgres/db.ts';
import { ceilingsOf, countedFor, refuseWhenFull, takeCeilings } from '../../metering/ceilings.ts';
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

/**
 * Counts a call, whatever becomes of it: with its work, so that it waits for the disk once, and last, so that no other call
 * of the same caller waits for its work. What is refused is counted by itself, and where that is refused too, nobody
 * hears the first refusal. No transaction is open while name servers are asked, so that such a call is counted before it.
 */
export async function writeCounted<Result extends object>(
  deps: Deps,
  operation: Operation,
  counted: CountedCall,
  inTransaction: InTransaction,
  work: (tx: Db, room: Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { call, input, now } = counted;
  const count = (db: Db, headers: Record<string, string>) =>
    takeKind(deps, operation, { ...counted, headers }, db, 'calls');
  if (namesReceiver(operation, input)) {
    await count(deps.pool, counted.headers);
    counted.warnings.push(...(await vetReceivers(deps, operation, input)));
    return inTransaction((tx) => work(tx, Promise.resolve()));
  }
  const ceilings = ceilingsFor(operation, counted, 'calls');
  try {
    return await inTransaction(async (tx) => {
      const asked = { db: tx, deps, now, countedFor: countedFor(operation, call.actor) };
      const result = await work(tx, refuseWhenFull(asked, ceilings));
      const headers: Record<string, string> = {};
      await count(tx, headers);
      for (const [name, told] of Object.entries(counted.headers))
        headers[name] = name in headers ? `${headers[name]}, ${told}` : told;
      Object.assign(counted.headers, headers);
      return result;
    });
  } catch (thrown) {
    await count(deps.pool, {}).catch((refused: unknown) => {
      throw refused instanceof AppError ? refused : thrown;
    });
    throw thrown;
  }
}
