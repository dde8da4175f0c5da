import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { andThen, orElse, type NowOrLater } from '../../core/memory/now-or-later.ts';
import { giveReadBack, readHeaders, takeRead } from './meter-read.ts';

interface CountedAnswer {
  status: number;
  /** What is left of the caller's quota. */
  headers?: Record<string, string>;
}

/**
 * Takes one read of the caller's quota before anything is looked up, whatever headers and method the request has: a
 * caller who has none left is refused without any work. An answer that costs nothing gives the read of the day back.
 */
export function withinQuota<Answer extends CountedAnswer>(
  deps: Deps,
  actor: Actor,
  now: Date,
  find: () => NowOrLater<Answer>,
): NowOrLater<Answer> {
  const giveBack = () =>
    giveReadBack(deps, actor, now).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'a read could not be given back');
    });
  // The caller already has this answer. Where its quota cannot be read, it hears what was left with this read.
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
        // A 404 is an answer too; whatever else went wrong costs nothing.
        if (thrown instanceof AppError && thrown.status === 404) Object.assign(thrown.headers, quota);
        else await giveBack();
        throw thrown;
      },
    ),
  );
}
