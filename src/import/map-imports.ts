import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ChangeHub } from '../core/postgres/change-hub.ts';
import type { Db, Pool } from '../core/postgres/db.ts';
import { readProgress } from '../core/progress.ts';

declare module '../core/context.ts' {
  interface Deps {
    mapImports: MapImports;
  }
}

export interface MapImport {
  id: string;
  source: string;
  state: 'running' | 'done' | 'failed' | 'stopped';
  stage: string;
  done: number;
  total: number;
  log: string;
  stop_wanted: boolean;
  started_at: Date;
  finished_at: Date | null;
}

const LOG_CHARACTERS_MAX = 20_000;
const WRITE_MS = 500;
const SEEN_MS = 10_000;
/** Topic of the change hub. */
export const MAP_IMPORTS = 'imports';

interface Options {
  pool: Pool;
  clock: Clock;
  log: Log;
  changes: ChangeHub;
  /** Arguments of this program's command line, and the environment that leads to this installation. */
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** Runs imports of map extracts in processes of their own, as the command line does, and stores what they print. */
export class MapImports {
  readonly #options: Options;
  readonly #running = new Map<string, ChildProcess>();
  readonly #following = new Set<Promise<void>>();
  readonly #leave: () => void;

  constructor(options: Options) {
    this.#options = options;
    this.#leave = options.changes.follow([MAP_IMPORTS], Date.now(), () => {
      if (this.#running.size > 0) void this.#stopWanted().catch(() => undefined);
    });
  }

  /** Begins a recorded import. `uploaded` is a file to delete afterwards; without it the source is an address. */
  start({ id, source }: Pick<MapImport, 'id' | 'source'>, uploaded: string | undefined): void {
    const { command, env } = this.#options;
    const [program = '', ...rest] = command;
    const child = spawn(program, [...rest, 'import', 'osm', uploaded ?? source, '--auto-destinations'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.set(id, child);
    const following = this.#follow(id, child)
      .catch((err: unknown) =>
        this.#options.log.error({ err }, 'the state of a map import could not be stored'),
      )
      .finally(() => {
        this.#running.delete(id);
        this.#following.delete(following);
        return uploaded && removeUpload(uploaded);
      });
    this.#following.add(following);
  }

  async close(): Promise<void> {
    this.#leave();
    for (const child of this.#running.values()) child.kill();
    await Promise.all(this.#following);
  }

  async #follow(id: string, child: ChildProcess): Promise<void> {
    const { pool, clock } = this.#options;
    let printed = '';
    let progress = { label: '', done: 0, total: 0 };
    let isChanged = false;
    const store = async () => {
      isChanged = false;
      const text = printed;
      printed = '';
      await pool`
        update map_import set log = right(log || ${text}, ${LOG_CHARACTERS_MAX}), seen_at = now(),
          stage = ${progress.label}, done = ${progress.done}, total = ${progress.total}
        where id = ${id}`;
    };
    const print = (line: string) => {
      const step = readProgress(line);
      if (step === undefined) printed += `${line}\n`;
      else progress = step;
      isChanged = true;
    };
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface(stream).on('line', print);
    child.on('error', ({ message }) => print(message));
    let seenAt = performance.now();
    const writing = setInterval(() => {
      if (!isChanged && performance.now() - seenAt < SEEN_MS) return;
      seenAt = performance.now();
      void store().catch(() => undefined);
    }, WRITE_MS);
    const [code] = (await once(child, 'close').finally(() => clearInterval(writing))) as [number | null];
    await store();
    const state = code === 0 ? 'done' : 'failed';
    await pool`
      update map_import set finished_at = ${clock.now()},
        state = case when ${state} = 'failed' and stop_wanted then 'stopped' else ${state} end
      where id = ${id} and state = 'running'`;
  }

  async #stopWanted(): Promise<void> {
    const rows = await this.#options.pool<{ id: string }[]>`
      select id from map_import where stop_wanted and id = any(${[...this.#running.keys()]})`;
    for (const { id } of rows) this.#running.get(id)?.kill();
  }
}

/** Removes an uploaded extract with its folder, which holds nothing else. */
export function removeUpload(file: string): Promise<void> {
  return rm(dirname(file), { recursive: true, force: true });
}

/** Records a new import and returns its id; undefined while another one is running. */
export async function recordMapImport(
  db: Db,
  { source, staffId, now }: { source: string; staffId: string; now: Date },
): Promise<string | undefined> {
  await db`
    update map_import set state = 'failed', finished_at = ${now}, log = log || 'The service ended during the import.'
    where state = 'running' and seen_at < now() - interval '1 minute'`;
  const [row] = await db<{ id: string }[]>`
    insert into map_import (source, started_by, started_at) values (${source}, ${staffId}, ${now})
    on conflict (state) where state = 'running' do nothing returning id::text`;
  return row?.id;
}

/** Asks the node that runs an import to end it. False when it has already ended. */
export async function stopMapImport(db: Db, id: string): Promise<boolean> {
  const stopped =
    await db`update map_import set stop_wanted = true where id::text = ${id} and state = 'running'`;
  return stopped.count === 1;
}

export async function findLastImport(db: Db): Promise<MapImport | undefined> {
  const [row] = await db<MapImport[]>`
    select id::text, source, state, stage, done::float8 as done, total::float8 as total, log, stop_wanted, started_at,
      finished_at
    from map_import order by map_import.id desc limit 1`;
  return row;
}
