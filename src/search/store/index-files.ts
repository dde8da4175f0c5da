import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

/** Which file of a folder is the index, what it was when it was last written, and when the machine had started then. */
interface Current {
  file: string;
  stamp: string;
  bootedAt: number;
}

const SAME_BOOT_MS = 60_000;
const bootedAt = () => Date.now() - uptime() * 1000;

const CURRENT = 'current.json';
const OURS = /^places-.*\.(?:mdb|part|sqlite)(?:-lock)?$/;

/** Only the index itself writes to its file: when this text changes, something else did. Empty where the file is gone. */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size}/${stat.mtimeNs}`;
}

/**
 * The index of a folder, if there is one, and whether it is as it was left. What was not yet on the disk when a machine lost
 * its power is missing, which no stamp tells: so after every start of the machine it counts as unknown.
 */
export function currentFile(folder: string): { file: string; isAsLeft: boolean } | undefined {
  const path = join(folder, CURRENT);
  if (!existsSync(path)) return undefined;
  const current = JSON.parse(readFileSync(path, 'utf8')) as Current;
  const file = join(folder, current.file);
  if (!existsSync(file)) return undefined;
  const sameBoot = Math.abs(current.bootedAt - bootedAt()) < SAME_BOOT_MS;
  return { file, isAsLeft: sameBoot && stampOf(file) === current.stamp };
}

/** Notes that a file is the index, as it is now. */
export function noteCurrent(folder: string, file: string): void {
  const draft = join(folder, `${CURRENT}.part`);
  const current: Current = {
    file: file.slice(folder.length + 1),
    stamp: stampOf(file),
    bootedAt: bootedAt(),
  };
  writeFileSync(draft, JSON.stringify(current));
  renameSync(draft, join(folder, CURRENT));
}

/** Removes what earlier builds and earlier versions left. */
export function removeOthers(folder: string, file: string | undefined): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (OURS.test(name) && path !== file && path !== `${file}-lock`) rmSync(path, { force: true });
  }
}

export function removeIndex(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}-lock`, { force: true });
}
