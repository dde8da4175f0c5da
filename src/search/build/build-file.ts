import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/postgres/db.ts';
import type { Log } from '../../core/log.ts';
import { DAY_MS } from '../../core/time.ts';
import { buildIndex, draftsOf, type BuildReport, type BuildTask } from './build-index.ts';
import { OTHER_VERSION } from '../store/open-index.ts';
import type { IndexMessage, IndexTask } from './index-process.ts';

export interface BuildOptions {
  pool: Pool;
  databaseUrl: string;
  folder: string;
  clock: Clock;
  log: Log;
}

export const VERIFIED_MS = 365 * DAY_MS;
/** Directories below this size are indexed in this process: starting another one would take longer than the work. */
const SMALL_DIRECTORY = 2_000;
/** Minimum time between two log lines about the progress of a child process. */
const PROGRESS_MS = 10_000;

/** Writes a new index file and returns its path. */
export async function buildFile(options: BuildOptions, signal: AbortSignal): Promise<string> {
  const { pool, databaseUrl, folder, clock, log } = options;
  const startedAt = performance.now();
  const now = clock.now().getTime();
  // Committed before the build reads the directory: a database state that has this row also has everything that the
  // build has seen.
  const [build] = await pool<{ id: string }[]>`insert into index_build default values returning id`;
  const task: BuildTask = {
    databaseUrl,
    file: join(folder, `places-${Date.now()}.mdb`),
    buildId: build?.id ?? '',
    nowMs: now,
    verifiedSinceMs: now - VERIFIED_MS,
  };
  const isSmall = await isSmallDirectory(pool);
  try {
    const report = await (isSmall ? buildIndex(task) : runInChild<BuildReport>({ build: task }, signal));
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    log.info({ places: report.places, seconds }, 'index built');
    return report.file;
  } catch (thrown) {
    // Remove partial files, so that repeated attempts do not fill a full disk further.
    for (const draft of [...draftsOf(task.file), task.file]) rmSync(draft, { force: true });
    throw thrown;
  }
}

export async function isSmallDirectory(pool: Pool): Promise<boolean> {
  const [size] = await pool<{ small: boolean }[]>`
    select count(*) < ${SMALL_DIRECTORY} as small from (select 1 from place limit ${SMALL_DIRECTORY}) few`;
  return size?.small === true;
}

/** Signals sent from outside to end a process. Other signals are caused by the process itself. */
const OUTSIDE_SIGNALS = new Set<string | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

class EndedFromOutside extends Error {}

/**
 * Checks an index file; undefined when the check could not be completed. Runs in another process, because a damaged
 * file may crash it.
 */
export function checkFile(
  file: string,
  signal: AbortSignal,
): Promise<'sound' | 'damaged' | 'other version' | undefined> {
  return runInChild({ check: file }, signal).then(
    () => 'sound',
    (thrown: unknown) => {
      if (thrown instanceof EndedFromOutside || signal.aborted) return undefined;
      return (thrown as { code?: unknown }).code === OTHER_VERSION ? 'other version' : 'damaged';
    },
  );
}

/**
 * Runs a task in a child process: two million places take a minute, during which requests must be served. The child's
 * memory is freed when it exits.
 */
export function runInChild<Report>(
  task: IndexTask,
  signal: AbortSignal,
  onProgress?: (percent: number) => void,
): Promise<Report> {
  const child = fork(new URL('index-process.ts', import.meta.url), { signal });
  let reportedAt = performance.now();
  return new Promise((resolve, reject) => {
    child.on('message', (message: IndexMessage) => {
      if ('failed' in message) reject(Object.assign(new Error(message.failed), { code: message.code }));
      else if ('done' in message) resolve(message.done as Report);
      else if (performance.now() - reportedAt > PROGRESS_MS) {
        reportedAt = performance.now();
        onProgress?.(message.percent);
      }
    });
    child.once('error', reject);
    child.once('exit', (code, by) => {
      const reason = `The index process ended early (${by ?? String(code)}).`;
      reject(OUTSIDE_SIGNALS.has(by) ? new EndedFromOutside(reason) : new Error(reason));
    });
    child.send(task);
  });
}
