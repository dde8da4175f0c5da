import type { Counterpart } from './counterpart.ts';

/** What ends a turn, once; or how long to wait before asking again. */
export type Entered = (() => void) | { waitSeconds: number };

/** Lets few in at a time, or few in a time. The others wait for their turn, or are sent away. */
export interface Gate {
  enter(who: string): Promise<Entered>;
}

/** A gate that another process keeps. */
export function gateOf(keeper: Counterpart, name: string): Gate {
  let turns = 0;
  return {
    enter: async (who) => {
      const turn = ++turns;
      const waitSeconds = await keeper.ask<number | undefined>(`enter ${name}`, { who, turn });
      if (waitSeconds !== undefined) return { waitSeconds };
      return () => {
        keeper.tell(`leave ${name}`, turn);
      };
    },
  };
}

/** Keeps a gate for another process too. When that ends, its turns end. */
export function keepGate(visitor: Counterpart, name: string, gate: Gate): void {
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
