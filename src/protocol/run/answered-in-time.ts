import { AppError } from '../../core/errors.ts';
import { STATEMENT_TIMEOUT_MS } from '../../core/postgres/db.ts';

/** Longer than any statement may run. */
const WRITE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** A database that dies in the middle of a transaction may leave it without an answer; its caller still gets one. */
export async function answeredInTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const hint = 'Repeat it with its Idempotency-Key, so that it cannot be done twice.';
      reject(
        new AppError('maintenance', 'The database did not answer in time.', { hint, retryAfterSeconds: 5 }),
      );
    }, WRITE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
