import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.ts';
import { signUp } from './writers/agents.ts';

const AGAIN_MS = 250;
/** Each write is repeated until it is acknowledged, so that many of them would keep the nodes from getting well. */
const PENDING_MAX = 8;

/** Returns the time until a write that was sent after this moment is acknowledged. Another one is sent every moment. */
export async function untilWritten(world: World): Promise<number> {
  const from = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  let isOver = false;
  let pending = 0;
  const sendMore = async () => {
    while (!isOver) {
      if (pending < PENDING_MAX) {
        pending++;
        void signUp(world).then(
          () => resolve(performance.now() - from),
          () => undefined,
        );
      }
      await pause(AGAIN_MS);
    }
  };
  void sendMore();
  return promise.finally(() => {
    isOver = true;
  });
}

/** Returns the time until a node that was harmed is ready, if it was a node, and a write is acknowledged. */
export async function untilNormal(world: World, node: World['nodes'][number] | undefined): Promise<number> {
  const from = performance.now();
  const untilReady = async () => {
    while (node !== undefined && !(await node.isReady())) await pause(AGAIN_MS);
  };
  await Promise.all([untilReady(), signUp(world).catch(() => undefined)]);
  return performance.now() - from;
}
