import { LRUCache } from 'lru-cache';
import type { OperationDeps } from '../core/context.ts';
import type { PreparedAnswer } from '../core/operation.ts';
import { DependencyCache } from '../core/memory/dependency-cache.ts';
import { MINUTE_MS } from '../core/time.ts';

/** Maximum size of cached answers per node. */
const CACHE_BYTES_MAX = 32 * 2 ** 20;
const SEEN_ONCE_MAX = 20_000;

interface AnswerMemory {
  answers: DependencyCache<PreparedAnswer>;
  /**
   * Questions seen once. Only repeated questions are cached; most are not repeated, and caching them would only add
   * evictions.
   */
  seenOnce: LRUCache<string, true>;
}

const memories = new WeakMap<object, AnswerMemory>();

/**
 * Returns the cached answer of this minute if it is still valid, otherwise computes a new one. Agents often repeat a
 * search: the answer to one that occurs twice within a minute is reused until one of its dependencies changes.
 */
export function cachedAnswer(
  { places, destinations, clock }: OperationDeps,
  question: string,
  answer: () => PreparedAnswer,
): PreparedAnswer {
  const { answers, seenOnce } = memories.getOrInsertComputed(places, () => ({
    answers: new DependencyCache<PreparedAnswer>(CACHE_BYTES_MAX),
    seenOnce: new LRUCache<string, true>({ max: SEEN_ONCE_MAX }),
  }));
  const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
  // Answers depend on the index, the destinations and the minute, because places open and close.
  const dependencies = [places.version, minute, destinations.current];
  const cached = answers.find(question, dependencies);
  if (cached !== undefined) return cached;
  const fresh = answer();
  if (!seenOnce.delete(question) && !answers.has(question)) seenOnce.set(question, true);
  // The same bytes may be stored once more as a tool result.
  else answers.keep(question, dependencies, fresh, fresh.json.length * 2);
  return fresh;
}
