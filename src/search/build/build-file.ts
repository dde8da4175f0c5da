import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/postgres/db.ts';
import type { Log } from '../../core/log.ts';
import { DAY_MS } from '../../core/time.ts';
import { buildIndex, draftsOf, type BuildReport, type BuildTask } from './build-index.ts';
import { OTHER_VERSION } from '../store/open-index.ts';
import type { IndexNews, IndexTask } from './index-process.ts';

export interface BuildOptions {
  pool: Pool;
  databaseUrl: string;
  folder: string;
  clock: Clock;
  log: Log;
}

export const VERIFIED_MS = 365 * DAY_MS;
/** A small directory is indexed at once; to start a process would take longer than the work. */
const SMALL_DIRECTORY = 2_000;

/** Writes a new index file and gives its path. */
export async function buildFile(options: BuildOptions, signal: AbortSignal): Promise<string> {
  const { pool, databaseUrl, folder, clock, log } = options;
  const startedAt = performance.now();
  const now = clock.now().getTime();
  // Committed before the build looks at the directory: whoever knows of the build has all that it has seen.
  const [build] = await pool<{ id: string }[]>`insert into index_build default values returning id`;
  const task: BuildTask = {
    databaseUrl,
    file: join(folder, `places-${Date.now()}.mdb`),
    buildId: build?.id ?? '',
    nowMs: now,
    verifiedSinceMs: now - VERIFIED_MS,
  };
  const [size] = await pool<{ small: boolean }[]>`
    select count(*) < ${SMALL_DIRECTORY} as small from (select 1 from place limit ${SMALL_DIRECTORY}) few`;
  try {
    const report = await (size?.small === true ? buildIndex(task) : workAside({ build: task }, signal));
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    log.info({ places: report.places, seconds }, 'index built');
    return report.file;
  } catch (thrown) {
    // A disk that is full is not filled further by the remains of every try.
    for (const draft of [...draftsOf(task.file), task.file]) rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Signals by which somebody ends a process; the others are sent because of what it did. */
const ENDED_BY_OTHERS = new Set<string | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

class EndedByOthers extends Error {}

/**
 * Whether an index holds what was written to it; undefined where that could not be found out. It is read by another process,
 * because what is damaged may end that.
 */
export function readThrough(
  file: string,
  signal: AbortSignal,
): Promise<'sound' | 'damaged' | 'other version' | undefined> {
  return workAside({ check: file }, signal).then(
    () => 'sound',
    (thrown: unknown) => {
      if (thrown instanceof EndedByOthers || signal.aborted) return undefined;
      return (thrown as { code?: unknown }).code === OTHER_VERSION ? 'other version' : 'damaged';
    },
  );
}

/**
 * Works in a process of its own: two million places take a minute, and requests go on meanwhile. What memory it takes is
 * given back with its end.
 */
function workAside(task: IndexTask, signal: AbortSignal): Promise<BuildReport> {
  const child = fork(new URL('index-process.ts', import.meta.url), { signal });
  return new Promise((resolve, reject) => {
    child.on('message', (news: IndexNews) => {
      if ('failed' in news) reject(Object.assign(new Error(news.failed), { code: news.code }));
      else resolve(news.done);
    });
    child.once('error', reject);
    child.once('exit', (code, by) => {
      const said = `The index process ended early (${by ?? String(code)}).`;
      reject(ENDED_BY_OTHERS.has(by) ? new EndedByOthers(said) : new Error(said));
    });
    child.send(task);
  });
}
