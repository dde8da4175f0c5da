import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.ts';
import { signUp } from './writers/agents.ts';

const AGAIN_MS = 250;

/** Returns the time until a write that was sent after this moment is acknowledged. Another one is sent every moment. */
export async function untilWritten(world: World): Promise<number> {
  const from = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  let isOver = false;
  const sendMore = async () => {
    while (!isOver) {
      void signUp(world).then(
        () => resolve(performance.now() - from),
        () => undefined,
      );
      await pause(AGAIN_MS);
    }
  };
  void sendMore();
  return promise.finally(() => {
    isOver = true;
  });
}
