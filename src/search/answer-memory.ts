import type { OperationDeps } from '../core/context.ts';
import type { PreparedAnswer } from '../core/operation.ts';
import { MINUTE_MS } from '../core/time.ts';

/** How much of the answers of a node may be kept. */
const KEPT_BYTES = 32 * 2 ** 20;
const ASKED_MAX = 20_000;

interface Kept {
  answer: PreparedAnswer;
  state: State;
}

/** What an answer rests on: the index, the destinations, and the minute, because places open and close. */
interface State {
  version: string;
  minute: number;
  destinations: object;
}

/**
 * Answers to searches that were asked twice within this minute. Agents ask the same things again and again; what rests on
 * nothing that changed since need not be found and written again.
 */
class AnswerMemory {
  readonly #kept = new Map<string, Kept>();
  /** Questions that were asked once. What is asked once more is kept; most are not, and need not be cleaned up after. */
  readonly #asked = new Set<string>();
  #bytes = 0;

  find(question: string, state: State): PreparedAnswer | undefined {
    const kept = this.#kept.get(question);
    if (kept === undefined) return undefined;
    if (
      kept.state.version === state.version &&
      kept.state.minute === state.minute &&
      kept.state.destinations === state.destinations
    )
      return kept.answer;
    this.#forget(question, kept.answer);
    this.#asked.add(question);
    return undefined;
  }

  keep(question: string, state: State, answer: PreparedAnswer): void {
    if (!this.#asked.delete(question)) {
      if (this.#asked.size >= ASKED_MAX) this.#asked.clear();
      this.#asked.add(question);
      return;
    }
    this.#bytes += sizeOf(question, answer);
    this.#kept.set(question, { answer, state });
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#forget(oldest, kept.answer);
    }
  }

  #forget(question: string, answer: PreparedAnswer): void {
    this.#bytes -= sizeOf(question, answer);
    this.#kept.delete(question);
  }
}

// The same bytes may stand once more as a tool result.
function sizeOf(question: string, { json }: PreparedAnswer): number {
  return question.length * 2 + json.length * 2;
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
  const state = { version: places.version, minute, destinations: destinations.current };
  const known = memory.find(question, state);
  if (known !== undefined) return known;
  const made = answer();
  memory.keep(question, state, made);
  return made;
}
