import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '192m';
const FILLED_BYTES = 256 * 1024 * 1024;

/** Only root may mount a disk, and only on Linux. */
export function mayMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** A disk of its own below a folder of a node, which can be filled. */
export class SmallDisk {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=700`, 'waypost-chaos', folder]);
  }

  fill(): void {
    try {
      writeFileSync(this.#filling, Buffer.alloc(FILLED_BYTES));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown;
    }
  }

  empty(): void {
    rmSync(this.#filling, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#folder]);
  }

  get #filling(): string {
    return join(this.#folder, 'filled-by-chaos');
  }
}
