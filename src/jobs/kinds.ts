import { MINUTE_MS } from '../core/time.ts';

/** Time limit of a job. A job that hangs frees its slot then, and is retried later. */
interface KindRule {
  limitMs: number;
  /** Number of slots, for kinds that do not use JOBS_AT_ONCE. */
  atOnce?: number;
}

/**
 * Kinds of jobs. A node has separate slots for each kind, so that a kind that is full, or whose remote side does not
 * answer, never delays another.
 */
export const KINDS = {
  /** Due steps of bookings: all decisions, and telephone calls. */
  asking: { limitMs: 2 * MINUTE_MS },
  /** Requests to venues' own booking systems, any of which may be slow or dead. */
  asking_by_system: { limitMs: 2 * MINUTE_MS },
  /** Messages to venues about tables. Mail and text messages use different servers, one of which may be dead. */
  asking_by_mail: { limitMs: 2 * MINUTE_MS },
  asking_by_text: { limitMs: 2 * MINUTE_MS },
  /** Webhooks to partners and callbacks to agents. */
  telling: { limitMs: 2 * MINUTE_MS },
  /** All other messages: sign-in links, codes, notices. */
  mail: { limitMs: 2 * MINUTE_MS },
  /** Each photo takes one core for a second, and a few hundred megabytes. */
  photos: { limitMs: 5 * MINUTE_MS, atOnce: 1 },
  upkeep: { limitMs: 5 * MINUTE_MS, atOnce: 1 },
} as const satisfies Readonly<Record<string, KindRule>>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** Number of jobs of a kind that a node runs at the same time. */
export function slotsFor(kind: Kind, { jobsAtOnce }: { jobsAtOnce: number }): number {
  const rule: KindRule = KINDS[kind];
  return rule.atOnce ?? jobsAtOnce;
}

/**
 * Kinds whose jobs keep a transaction open while they wait for the remote side, so that the kill switch cannot
 * change.
 */
export const HOLDING_KINDS: readonly Kind[] = [
  'asking',
  'asking_by_system',
  'asking_by_mail',
  'asking_by_text',
];
