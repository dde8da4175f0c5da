import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

/**
 * How a file was left. Open: its process ended without closing it. Suspect: the same, and the process before that did so
 * too without having read it through; perhaps it was the file that ended them.
 */
export type LeftAs = 'closed' | 'open' | 'suspect';

/** Which file of a folder is the index, what it was when it was last written, and when the machine had started then. */
interface Current {
  file: string;
  stamp: string;
  inode: string;
  bootedAt: number;
  left: LeftAs;
}

export interface FoundFile {
  file: string;
  /** Whether it is as it was left; otherwise it must be read through before it is used. */
  isAsLeft: boolean;
  left: LeftAs;
}

const SAME_BOOT_MS = 60_000;
const bootedAt = () => Date.now() - uptime() * 1000;

const CURRENT = 'current.json';
const OURS = /^places-.*\.(?:mdb|part|sqlite)(?:-lock)?$/;
/** LMDB's table of readers is smaller. */
const LOCK_BYTES = 12_288;
const BLOCK_BYTES = 512;

/** Only the index itself writes to its file: when this text changes, something else did. Empty where the file is gone. */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size}/${stat.mtimeNs}`;
}

/** Changes also where the time of the last write was put back, and where the file is a copy. */
export function inodeOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}/${stat.ino}/${stat.ctimeNs}`;
}

/**
 * The index of a folder, if there is one. What was not yet on the disk when a machine lost its power is missing, which no
 * stamp tells: so after every start of the machine it counts as unknown.
 */
export function currentFile(folder: string): FoundFile | undefined {
  const current = readCurrent(folder);
  if (current === undefined) return undefined;
  const file = join(folder, current.file);
  if (!existsSync(file)) return undefined;
  const sameBoot = Math.abs(current.bootedAt - bootedAt()) < SAME_BOOT_MS;
  const isAsLeft = sameBoot && stampOf(file) === current.stamp && inodeOf(file) === current.inode;
  return { file, isAsLeft: isAsLeft && current.left !== 'suspect', left: current.left };
}

/** A note that cannot be read is none: the index is made anew. */
function readCurrent(folder: string): Current | undefined {
  try {
    const current = JSON.parse(readFileSync(join(folder, CURRENT), 'utf8')) as Partial<Current> | null;
    return typeof current?.file === 'string' && OURS.test(current.file) ? (current as Current) : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that a file is the index, as it is now. */
export function noteCurrent(folder: string, file: string, left: LeftAs): void {
  const draft = join(folder, `${CURRENT}.part`);
  const current: Current = {
    file: file.slice(folder.length + 1),
    stamp: stampOf(file),
    inode: inodeOf(file),
    bootedAt: bootedAt(),
    left,
  };
  try {
    writeFileSync(draft, JSON.stringify(current));
    renameSync(draft, join(folder, CURRENT));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes the folder, and removes what earlier builds and earlier versions left in it. */
export function tidyFolder(folder: string, file: string | undefined): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (OURS.test(name) && path !== file && path !== `${file}-lock`) rmSync(path, { force: true });
  }
}

export function removeIndex(file: string): void {
  rmSync(file, { force: true });
  rmSync(lockOf(file), { force: true });
}

function lockOf(file: string): string {
  return `${file}-lock`;
}

/**
 * Sets aside room for LMDB's locks. It maps a file of holes into memory, and a disk that is full when one of them is written
 * to ends the process; here it is an error.
 */
export function reserveLock(file: string): void {
  const lock = lockOf(file);
  const { blocks = 0 } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  const from = blocks * BLOCK_BYTES;
  if (from >= LOCK_BYTES) return;
  const fd = openSync(lock, existsSync(lock) ? 'r+' : 'w');
  try {
    writeSync(fd, Buffer.alloc(LOCK_BYTES - from), 0, LOCK_BYTES - from, from);
  } finally {
    closeSync(fd);
  }
}
