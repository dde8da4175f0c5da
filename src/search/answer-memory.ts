import type { OperationDeps } from '../core/context.ts';
import type { PreparedAnswer } from '../core/operation.ts';
import { KeptWhile } from '../core/memory/kept-while.ts';
import { MINUTE_MS } from '../core/time.ts';

/** How much of the answers of a node may be kept. */
const KEPT_BYTES = 32 * 2 ** 20;
const ASKED_MAX = 20_000;

/**
 * Answers to searches that were asked twice within this minute. Agents ask the same things again and again; what rests on
 * nothing that changed since need not be found and written again.
 */
class AnswerMemory {
  readonly #kept = new KeptWhile<PreparedAnswer>(KEPT_BYTES);
  /** Questions that were asked once. What is asked once more is kept; most are not, and need not be cleaned up after. */
  readonly #asked = new Set<string>();

  find(question: string, restsOn: readonly unknown[]): PreparedAnswer | undefined {
    return this.#kept.find(question, restsOn);
  }

  keep(question: string, restsOn: readonly unknown[], answer: PreparedAnswer): void {
    if (!this.#asked.delete(question) && !this.#kept.has(question)) {
      if (this.#asked.size >= ASKED_MAX) this.#asked.clear();
      this.#asked.add(question);
      return;
    }
    // The same bytes may stand once more as a tool result.
    this.#kept.keep(question, restsOn, answer, answer.json.length * 2);
  }
}

const memories = new WeakMap<object, AnswerMemory>();

/** The answer to a question about the directory: one that was given this minute, if it still holds, or a new one. */
export function answerOnce(
  { places, destinations, clock }: OperationDeps,
  question: string,
  answer: () => PreparedAnswer,
): PreparedAnswer {
  let memory = memories.get(places);
  if (memory === undefined) memories.set(places, (memory = new AnswerMemory()));
  const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
  // The index, the destinations, and the minute, because places open and close.
  const restsOn = [places.version, minute, destinations.current];
  const known = memory.find(question, restsOn);
  if (known !== undefined) return known;
  const made = answer();
  memory.keep(question, restsOn, made);
  return made;
}
