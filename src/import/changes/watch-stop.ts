import type { Db } from '../../core/postgres/db.ts';
import { ImportFileError } from '../import-file-error.ts';

const TEXT_MAX = 2_000;

export interface WatchStop {
  /** Watched file, folder or URL, without credentials. */
  source: string;
  file: string;
  reason: string;
}

/** Ends a watch: a change file failed too often, and later ones cannot be applied without it. */
export class WatchStoppedError extends ImportFileError {
  readonly stop: WatchStop;

  constructor(source: string, file: string, { message }: Error, attempts: number) {
    super(
      `${message} It has failed ${attempts} times, so ${withoutCredentials(source)} is no longer watched. Replace or remove the file, then start the import again.`,
    );
    this.name = 'WatchStoppedError';
    this.stop = { source: withoutCredentials(source), file, reason: message };
  }
}

export async function storeWatchStop(db: Db, { source, file, reason }: WatchStop, now: Date): Promise<void> {
  await db`
    insert into map_watch_stop (source, file, reason, stopped_at)
    values (${source.slice(0, TEXT_MAX)}, ${file}, ${reason.slice(0, TEXT_MAX)}, ${now})
    on conflict (source) do update
      set file = excluded.file, reason = excluded.reason, stopped_at = excluded.stopped_at`;
}

export async function clearWatchStop(db: Db, source: string): Promise<void> {
  await db`delete from map_watch_stop where source = ${withoutCredentials(source).slice(0, TEXT_MAX)}`;
}

export async function listWatchStops(db: Db): Promise<(WatchStop & { stopped_at: Date })[]> {
  const stops = await db<(WatchStop & { stopped_at: Date })[]>`
    select source, file, reason, stopped_at from map_watch_stop order by stopped_at`;
  return [...stops];
}

function withoutCredentials(source: string): string {
  const url = /^https?:/i.test(source) ? URL.parse(source) : null;
  if (url === null) return source;
  url.username = '';
  url.password = '';
  url.search = '';
  return url.href;
}
