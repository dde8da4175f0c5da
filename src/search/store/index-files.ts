import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

/**
 * State in which a file was left. open: its process ended without closing the index. suspect: the same happened twice in a row
 * without a check in between, so the file may have caused the crashes.
 */
type LeftAs = 'closed' | 'open' | 'suspect';

/**
 * The current index file of a folder, its stamps after the last write, and the boot time of the machine at that time.
 */
interface Current {
  file: string;
  stamp: string;
  inode: string;
  bootedAt: number;
  left: LeftAs;
}

interface CurrentFile {
  file: string;
  /** True when unchanged since; otherwise it must be checked before use. */
  isUnchanged: boolean;
  left: LeftAs;
}

const SAME_BOOT_MS = 60_000;
const bootedAt = () => Date.now() - uptime() * 1000;

const CURRENT = 'current.json';
const INDEX_FILES = /^places-.*\.(?:mdb|part|sqlite)(?:-lock)?$/;
/** LMDB's reader table is smaller than this. */
const LOCK_BYTES = 12_288;
const BLOCK_BYTES = 512;

/**
 * Returns a stamp that changes with every write to the file, so that writes by anything but the index are detected.
 * Empty when the file is gone.
 */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size}/${stat.mtimeNs}`;
}

/** Returns a stamp that also changes when the modification time was reset or the file was copied. */
export function inodeOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}/${stat.ino}/${stat.ctimeNs}`;
}

/**
 * Returns the index file of a folder, if any. After a power failure, data that had not reached the disk is missing,
 * which no stamp reveals: so the file must be checked after every boot.
 */
export function currentFile(folder: string): CurrentFile | undefined {
  const current = readCurrent(folder);
  if (current === undefined) return undefined;
  const file = join(folder, current.file);
  if (!existsSync(file)) return undefined;
  const sameBoot = Math.abs(current.bootedAt - bootedAt()) < SAME_BOOT_MS;
  const isUnchanged = sameBoot && stampOf(file) === current.stamp && inodeOf(file) === current.inode;
  return { file, isUnchanged: isUnchanged && current.left !== 'suspect', left: current.left };
}

/** Returns undefined for an unreadable state file: the index is then rebuilt. */
function readCurrent(folder: string): Current | undefined {
  try {
    const current = JSON.parse(readFileSync(join(folder, CURRENT), 'utf8')) as Partial<Current> | null;
    return typeof current?.file === 'string' && INDEX_FILES.test(current.file)
      ? (current as Current)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Records a file and its current stamps as the index. */
export function recordCurrent(folder: string, file: string, left: LeftAs): void {
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

/** Creates the folder and removes files of earlier builds and versions. */
export function tidyFolder(folder: string, file: string | undefined): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (INDEX_FILES.test(name) && path !== file && path !== `${file}-lock`) rmSync(path, { force: true });
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
 * Allocates disk space for LMDB's lock file. LMDB maps a sparse file, and a full disk crashes the process when a hole
 * is written to; here it raises an error.
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
