import type { WriteStream } from 'node:tty';

export interface Progress {
  (done: number, total: number): void;
}

const BAR_WIDTH = 30;
// On a log, one line for every tenth tells enough.
const PLAIN_STEP = 0.1;

/** Shows long work: a bar that redraws itself on a terminal, plain lines elsewhere. */
export function createProgress(out: NodeJS.WritableStream, label: string): Progress {
  const terminal = (out as Partial<WriteStream>).isTTY === true;
  let shown = -1;
  return (done, total) => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const step = Math.floor(share / (terminal ? 0.01 : PLAIN_STEP));
    if (step === shown) return;
    shown = step;
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
