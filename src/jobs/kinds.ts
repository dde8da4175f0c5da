import { MINUTE_MS } from '../core/time.ts';

/** Limits of a kind. A job that exceeds `limitMs` is aborted, which frees its slot, and is retried later. */
interface KindRule {
  limitMs: number;
  /** Number of slots, for kinds that do not use `config.jobsAtOnce`. */
  atOnce?: number;
}

/** Kinds of jobs. Each has separate slots, so that a full or unresponsive one never delays another. */
export const KINDS = {
  /** Due steps of bookings: all decisions, and telephone calls. */
  asking: { limitMs: 2 * MINUTE_MS },
  /** Requests to venues' own booking systems, any of which may be slow or dead. */
  asking_by_system: { limitMs: 2 * MINUTE_MS },
  /** Messages to venues about tables. Mail and text messages use different servers, one of which may be dead. */
  asking_by_mail: { limitMs: 2 * MINUTE_MS },
  asking_by_text: { limitMs: 2 * MINUTE_MS },
  telling: { limitMs: 2 * MINUTE_MS },
  mail: { limitMs: 2 * MINUTE_MS },
  /** Each photo takes one core for a second, and a few hundred megabytes. */
  photos: { limitMs: 5 * MINUTE_MS, atOnce: 1 },
  upkeep: { limitMs: 5 * MINUTE_MS, atOnce: 1 },
} as const satisfies Readonly<Record<string, KindRule>>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

export function slotsFor(kind: Kind, { jobsAtOnce }: { jobsAtOnce: number }): number {
  const rule: KindRule = KINDS[kind];
  return rule.atOnce ?? jobsAtOnce;
}

/** Kinds whose jobs keep the kill switch locked while they wait for the remote side. */
export const HOLDING_KINDS: readonly Kind[] = [
  'asking',
  'asking_by_system',
  'asking_by_mail',
  'asking_by_text',
];
