import type { BookingRecord, NamedTable } from './booking-record.ts';
import type { World } from './world.ts';

/** Outcome of a step. refused: the reply says that nothing was changed. unsure: it says that a change may follow. */
export type Outcome = 'done' | 'refused' | 'unsure' | 'skipped' | 'crashed';

/** Forms of a page as a browser holds them: where each goes, and what it carries. */
export interface HeldForm {
  action: string;
  fields: Record<string, string>;
  markup: string;
}

/** The state of one sequence. */
export interface SequenceState {
  world: World;
  record: BookingRecord | undefined;
  /** Who said what in this step, such as "venue yes". */
  said: string[];
  /** The same since the beginning. */
  everSaid: Set<string>;
  /** The table that people at the venue have promised, by their own word. */
  promised: NamedTable | null;
  /** The promise before the last answer, which can be taken back. */
  promisedBefore: NamedTable | null;
  /** The promise at the time of a cancellation by the guest's side: from then on they must not keep it. */
  givenUp: NamedTable | null;
  /** When the venue's own system has taken a confirmed table back. */
  tookBackAt: Date | undefined;
  halted: boolean;
  /** Until when nobody could look at the venue's system: no node worked, bookings were halted, or it did not answer. */
  blindUntil: Date | undefined;
  /** The tap page that somebody opened and left open. */
  keptPage: HeldForm[];
  /** How many texts the venue has sent. */
  texts: number;
  /** How often something was changed, so that each change is another one. */
  changes: number;
  /** The booking as the partner's last call returned it. */
  told: { status: string; booked: boolean } | undefined;
  faults: string[];
}

export function newState(world: World): SequenceState {
  return {
    world,
    record: undefined,
    said: [],
    everSaid: new Set(),
    promised: null,
    promisedBefore: null,
    givenUp: null,
    tookBackAt: undefined,
    halted: false,
    blindUntil: undefined,
    keptPage: [],
    texts: 0,
    changes: 0,
    told: undefined,
    faults: [],
  };
}

export function say(state: SequenceState, words: string): void {
  state.said.push(words);
  state.everSaid.add(words);
}
