import type { ProcessChannel } from './process-channel.ts';

/** A function that ends the turn, to be called once; or the time to wait before trying again. */
export type Entered = (() => void) | { waitSeconds: number };

/** Limits concurrency or rate. Other callers wait for their turn, or are refused. */
export interface Gate {
  enter(who: string): Promise<Entered>;
}

export function gateOf(keeper: ProcessChannel, name: string): Gate {
  let turns = 0;
  return {
    enter: async (who) => {
      const turn = ++turns;
      const waitSeconds = await keeper.request<number | undefined>(`enter ${name}`, { who, turn });
      if (waitSeconds !== undefined) return { waitSeconds };
      return () => keeper.send(`leave ${name}`, turn);
    },
  };
}

/** Serves a gate to another process over its channel. When that process ends, its turns are released. */
export function keepGate(visitor: ProcessChannel, name: string, gate: Gate): void {
  const inside = new Map<number, () => void>();
  let isGone = false;
  visitor.whenGone(() => {
    isGone = true;
    for (const leave of inside.values()) leave();
  });
  visitor.on(`enter ${name}`, async ({ who, turn }: { who: string; turn: number }) => {
    const entered = await gate.enter(who);
    if (typeof entered !== 'function') return entered.waitSeconds;
    if (isGone) entered();
    else inside.set(turn, entered);
    return undefined;
  });
  visitor.on(`leave ${name}`, (turn: number) => {
    inside.get(turn)?.();
    inside.delete(turn);
  });
}
