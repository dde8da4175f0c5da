import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { andThen, orElse, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { giveReadBack, readHeaders, takeRead } from './meter-read.ts';

interface CountedAnswer {
  status: number;
  /** The remaining quota. */
  headers?: Record<string, string>;
}

/**
 * Counts one read of the caller's quota before any work, whatever headers and method the request has: a caller with
 * none left is refused without any work. A response that costs nothing returns the read to the daily quota.
 */
export function withinQuota<Answer extends CountedAnswer>(
  deps: Deps,
  actor: Actor,
  now: Date,
  find: () => MaybePromise<Answer>,
): MaybePromise<Answer> {
  const giveBack = () =>
    giveReadBack(deps, actor, now).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'a read could not be refunded');
    });
  // The caller already has this response. If its quota cannot be read, it gets the remaining count including this read.
  const answerFreely = async (answer: Answer): Promise<Answer> => {
    await giveBack();
    const headers = await readHeaders(deps, actor, now).catch(() => answer.headers ?? {});
    return { ...answer, headers };
  };
  return andThen(takeRead(deps, actor, now), (quota) =>
    orElse(
      () =>
        andThen(find(), (answer) => {
          const counted = { ...answer, headers: { ...answer.headers, ...quota } };
          return answer.status === 304 ? answerFreely(counted) : counted;
        }),
      async (thrown) => {
        // A 404 is an answer too; any other error costs nothing.
        if (thrown instanceof AppError && thrown.status === 404) Object.assign(thrown.headers, quota);
        else await giveBack();
        throw thrown;
      },
    ),
  );
}
