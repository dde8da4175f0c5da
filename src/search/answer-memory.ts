import { LRUCache } from 'lru-cache';
import type { OperationDeps } from '../core/context.ts';
import type { PreparedAnswer } from '../core/operation.ts';
import { DependencyCache } from '../core/memory/dependency-cache.ts';
import { MINUTE_MS } from '../core/time.ts';

/** Maximum size of cached answers per node. */
const CACHE_BYTES_MAX = 32 * 2 ** 20;
const SEEN_ONCE_MAX = 20_000;

/**
 * Caches answers to searches that occur twice within a minute. Agents often repeat a search; its answer is reused until
 * one of its dependencies changes.
 */
class AnswerMemory {
  readonly #answers = new DependencyCache<PreparedAnswer>(CACHE_BYTES_MAX);
  /**
   * Questions seen once. Only repeated questions are cached; most are not repeated, and caching them would only add
   * evictions.
   */
  readonly #seenOnce = new LRUCache<string, true>({ max: SEEN_ONCE_MAX });

  find(question: string, dependencies: readonly unknown[]): PreparedAnswer | undefined {
    return this.#answers.find(question, dependencies);
  }

  keep(question: string, dependencies: readonly unknown[], answer: PreparedAnswer): void {
    if (!this.#seenOnce.delete(question) && !this.#answers.has(question)) {
      this.#seenOnce.set(question, true);
      return;
    }
    // The same bytes may be stored once more as a tool result.
    this.#answers.keep(question, dependencies, answer, answer.json.length * 2);
  }
}

const memories = new WeakMap<object, AnswerMemory>();

/** Returns the cached answer of this minute if it is still valid, otherwise computes a new one. */
export function cachedAnswer(
  { places, destinations, clock }: OperationDeps,
  question: string,
  answer: () => PreparedAnswer,
): PreparedAnswer {
  let memory = memories.get(places);
  if (memory === undefined) memories.set(places, (memory = new AnswerMemory()));
  const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
  // Answers depend on the index, the destinations and the minute, because places open and close.
  const dependencies = [places.version, minute, destinations.current];
  const cached = memory.find(question, dependencies);
  if (cached !== undefined) return cached;
  const fresh = answer();
  memory.keep(question, dependencies, fresh);
  return fresh;
}
