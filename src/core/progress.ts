import type { WriteStream } from 'node:tty';

export interface Progress {
  (done: number, total: number): void;
}

const BAR_WIDTH = 30;
// In a log, one line per ten percent is enough.
const PLAIN_STEP = 0.1;

/** Shows the progress of long work: a redrawn bar on a terminal, plain lines elsewhere. */
export function createProgress(out: NodeJS.WritableStream, label: string): Progress {
  const terminal = (out as Partial<WriteStream>).isTTY === true;
  let lastStep = -1;
  return (done, total) => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const step = Math.floor(share / (terminal ? 0.01 : PLAIN_STEP));
    if (step === lastStep) return;
    lastStep = step;
    const figures = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    if (!terminal) {
      out.write(`${label}: ${figures}\n`);
      return;
    }
    const filled = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    out.write(`\r\u001b[2K${label} ${bar} ${figures}${share === 1 ? '\n' : ''}`);
  };
}

/** Reads a plain line of another process; undefined when it is not about progress. */
export function readProgress(line: string): { label: string; done: number; total: number } | undefined {
  const [, label = '', done = '', total = ''] = /^(.+): ([\d,]+) of ([\d,]+)$/.exec(line) ?? [];
  if (label === '') return undefined;
  return { label, done: Number(done.replaceAll(',', '')), total: Number(total.replaceAll(',', '')) };
}
