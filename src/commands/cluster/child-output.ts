import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** How a process ended: with an exit code or by a signal. */
export type Exit = number | NodeJS.Signals;

export function exitOf(child: ChildProcess): Promise<Exit> {
  return once(child, 'close').then(([code, signal]) => (code ?? signal) as Exit);
}

/** Passes on whole lines only, so that the lines of several processes do not mix. */
export function printLines(output: Readable, print: (line: string) => void): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', print);
}
