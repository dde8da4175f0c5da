import { MINUTE_MS } from '../core/time.ts';

/** How long a job may take. One that hangs gives its place back then, and is tried again later. */
interface KindRule {
  limitMs: number;
  /** Where that is not up to JOBS_AT_ONCE. */
  atOnce?: number;
}

/**
 * What jobs are for. A node has places for each kind that no other kind can take, so that one that is full, or whose
 * other side does not answer, never delays another.
 */
export const KINDS = {
  /** What is due for bookings: all decisions, and calls by telephone. */
  asking: { limitMs: 2 * MINUTE_MS },
  /** Venues' own systems, of which any may be slow or dead. */
  asking_by_system: { limitMs: 2 * MINUTE_MS },
  /** Messages to venues about tables. Mail and texts go to different servers, of which one may be dead. */
  asking_by_mail: { limitMs: 2 * MINUTE_MS },
  asking_by_text: { limitMs: 2 * MINUTE_MS },
  /** Webhooks of partners and callbacks of agents. */
  telling: { limitMs: 2 * MINUTE_MS },
  /** All other messages: sign-in links, codes, notices. */
  mail: { limitMs: 2 * MINUTE_MS },
  /** Each photo takes a core for a second, and a few hundred megabytes. */
  photos: { limitMs: 5 * MINUTE_MS, atOnce: 1 },
  upkeep: { limitMs: 5 * MINUTE_MS, atOnce: 1 },
} as const satisfies Readonly<Record<string, KindRule>>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** How many jobs of a kind a node does at the same time. */
export function placesOf(kind: Kind, { jobsAtOnce }: { jobsAtOnce: number }): number {
  const rule: KindRule = KINDS[kind];
  return rule.atOnce ?? jobsAtOnce;
}

/** Jobs of these kinds keep a transaction open while they wait for the other side, so that the kill switch stays put. */
export const HOLDING_KINDS: readonly Kind[] = [
  'asking',
  'asking_by_system',
  'asking_by_mail',
  'asking_by_text',
];
