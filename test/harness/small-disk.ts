import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export interface SmallDisk {
  folder: string;
  /** Why a test cannot be done with it; false when it can. */
  skip: string | false;
  resize(size: string): void;
}

/** A disk of the test's own that is soon full. Only root may have one. */
export function mountSmallDisk(size: string): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-disk-'));
  const mount = (options: string) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  };
  let skip: string | false = false;
  try {
    mount(`size=${size}`);
  } catch {
    skip = 'only root can mount a small disk';
  }
  after(() => {
    if (skip === false) execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    skip,
    resize: (to) => {
      mount(`remount,size=${to}`);
    },
  };
}
