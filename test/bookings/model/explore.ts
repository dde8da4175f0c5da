import { inspect } from 'node:util';
import fc from 'fast-check';
import { runSequence } from './run-sequence.ts';
import { sequences } from './steps/random-steps.ts';
import type { World } from './world.ts';

export interface Failure {
  /** The shortest sequence that was found for it. */
  lines: readonly string[];
  faults: readonly string[];
}

interface Options {
  runs: number;
  seed: number;
  note: (line: string) => void;
}

const NOTE_EVERY_MS = 10_000;
/** How many tries it may take to make a sequence shorter. */
const SHRINKS_MAX = 250;
/** After so many failures there is enough to look at. */
const FAILURES_MAX = 12;

/** Tries random sequences and makes those that fail as short as they get. */
export async function explore(world: World, { runs, seed, note }: Options): Promise<Failure[]> {
  const failures: Failure[] = [];
  const known = new Set<string>();
  const began = performance.now();
  let done = 0;
  let noted = began;
  while (done < runs && failures.length < FAILURES_MAX) {
    let shrinks = 0;
    let last: Failure | undefined;
    const property = fc.asyncProperty(sequences, async (lines) => {
      if (last !== undefined && ++shrinks > SHRINKS_MAX) return true;
      if (last === undefined) done++;
      const faults = await runSequence(world, lines).catch((thrown: unknown) => [
        `It threw ${inspect(thrown)}`,
      ]);
      const now = performance.now();
      if (now - noted > NOTE_EVERY_MS) {
        noted = now;
        const rate = (done / ((now - began) / 1000)).toFixed(1);
        note(`${done} sequences, ${rate} a second, ${failures.length} failures`);
      }
      // Reports a known fault again only if it comes with another one.
      const fresh = faults.filter((fault) => !known.has(kindOf(fault)));
      if (fresh.length === 0) return true;
      if (last !== undefined && !fresh.some((one) => last?.faults.some((two) => kindOf(one) === kindOf(two))))
        return true;
      last = { lines, faults: fresh };
      return false;
    });
    await fc.check(property, { numRuns: runs - done, seed: seed + done, endOnFailure: false });
    if (last === undefined) break;
    const { lines, faults }: Failure = last;
    failures.push({ lines, faults });
    for (const fault of faults) known.add(kindOf(fault));
    note(
      `failure ${failures.length}, after ${done} sequences\n  ${faults.join('\n  ')}\n    ${lines.join('\n    ')}`,
    );
  }
  const seconds = (performance.now() - began) / 1000;
  note(
    `${done} sequences in ${seconds.toFixed(0)} s (${(done / seconds).toFixed(1)} a second), ${failures.length} failures`,
  );
  return failures;
}

/** A failure without what differs each time: numbers and names. */
function kindOf(fault: string): string {
  return fault
    .replace(/[\w-]*\d[\w:.-]*(?= |$|"|,|\])/g, (word) => (/^\d$/.test(word) ? word : '#'))
    .slice(0, 60);
}
