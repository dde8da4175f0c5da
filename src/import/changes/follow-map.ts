import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EgressError } from '../../core/egress/egress-error.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';
import type { Progress } from '../../core/progress.ts';
import { DAY_MS } from '../../core/time.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { asImportFileError, ImportFileError } from '../import-file-error.ts';
import type { MapHeader } from '../pbf/header-block.ts';
import { readMapHeader } from '../pbf/pbf-file.ts';
import { applyChanges } from './apply-changes.ts';
import { noChanges, readChanges, type MapChanges } from './change-file.ts';
import { download } from './download.ts';
import { FollowState } from './follow-state.ts';
import { WatchStoppedError, type WatchStop } from './watch-stop.ts';
import { fetchChanges } from './replication.ts';

export interface FollowOptions {
  /** File, folder of extracts and change files, or URL. */
  from: string;
  /** Folder for copies of the map and their state. */
  folder: string;
  /** Continues until the signal aborts; when false, imports only what is available now. */
  watch: boolean;
  egress: EgressPolicy;
  signal: AbortSignal;
  log: (line: string) => void;
  progress: (label: string) => Progress;
  importFile: (file: string) => Promise<void>;
  /** Called once when a watch has imported its source; `onStopped` when a change file ends the watch. */
  onFollowed?: (source: string) => Promise<void>;
  onStopped?: (stop: WatchStop) => Promise<void>;
  /** Polling intervals for local and remote sources, in milliseconds. */
  everyMs?: { here: number; away: number };
}

const EVERY_MS = { here: 5_000, away: 600_000 };
/** A file that was not written to for this long counts as complete. Incomplete files are imported later. */
const SETTLED_MS = 1_000;

/** Attempts per change file before the watch stops; meanwhile the file may be replaced. */
const CHANGE_ATTEMPTS_MAX = 3;

/** Imports a map, and then everything newer: extracts, and change files in order. */
export async function followMap(options: FollowOptions): Promise<void> {
  const isUrl = /^https?:\/\//i.test(options.from);
  const from = isUrl ? options.from : resolve(options.from);
  const state = await FollowState.open(options.folder, from);
  const follower = new MapFollower({ ...options, from }, state);
  const everyMs = options.everyMs ?? EVERY_MS;
  for (;;) {
    const isAway = isUrl ? await follower.lookAtAddress() : await follower.look();
    if (!options.watch) return;
    await delay(isAway ? everyMs.away : everyMs.here, undefined, { signal: options.signal }).catch(
      () => undefined,
    );
    if (options.signal.aborted) return;
  }
}

class MapFollower {
  readonly #options: FollowOptions;
  readonly #state: FollowState;
  readonly #failures = new Map<string, { size: number; attempts: number }>();
  #waiting = false;
  #lastMessage = '';
  #isNoted = false;

  constructor(options: FollowOptions, state: FollowState) {
    this.#options = options;
    this.#state = state;
  }

  /** Imports an extract from a URL, then the changes that its header names, or else newer extracts there. */
  async lookAtAddress(): Promise<true> {
    await this.#retryOnError(async () => {
      const { from: url, progress, signal, watch, importFile } = this.#options;
      const { copy } = this.#state;
      const header = await readMapHeader(copy).catch(() => undefined);
      if (header?.replication == null) {
        const etag = header === undefined ? null : this.#state.stored.etag;
        const newEtag = await download({ url, target: copy, etag, progress: progress('Map'), signal });
        if (newEtag !== undefined) await this.#state.update({ etag: newEtag });
      }
      if (!watch) return importFile(copy);
      await this.#bringIn(copy);
      await this.#takePublished(copy);
    });
    return true;
  }

  /** Imports a file or a folder. Returns true when a remote server is polled. */
  async look(): Promise<boolean> {
    let isAway = false;
    await this.#retryOnError(async () => {
      const { from, watch } = this.#options;
      const stats = await stat(from).catch((error: unknown) => {
        throw asImportFileError(from, error);
      });
      if (stats.isDirectory()) await this.#lookInFolder(from);
      else if (!watch) await this.#options.importFile(from);
      else {
        await this.#bringIn(from);
        isAway = await this.#takePublished(from);
      }
    });
    return isAway;
  }

  /** While watching, logs errors and continues, because the next look may succeed. */
  async #retryOnError(work: () => Promise<void>): Promise<void> {
    const { watch, from, signal, log } = this.#options;
    try {
      await work();
      this.#lastMessage = '';
      if (!watch) return;
      if (!this.#waiting) log(`Watching ${from}; stop with Ctrl-C.`);
      this.#waiting = true;
      if (!this.#isNoted) await this.#options.onFollowed?.(from);
      this.#isNoted = true;
    } catch (thrown) {
      if (signal.aborted) return;
      if (thrown instanceof WatchStoppedError) await this.#options.onStopped?.(thrown.stop);
      if (
        thrown instanceof WatchStoppedError ||
        !watch ||
        !(thrown instanceof ImportFileError || thrown instanceof EgressError)
      )
        throw thrown;
      this.#waiting = false;
      if (thrown.message !== this.#lastMessage) log(thrown.message);
      this.#lastMessage = thrown.message;
    }
  }

  async #bringIn(file: string): Promise<void> {
    const mark = await markOf(file);
    if (mark === undefined || this.#state.stored.done[file] === mark) return;
    this.#waiting = false;
    this.#options.log(`Importing ${file}`);
    let fault: ImportFileError | undefined;
    await this.#options.importFile(file).catch((thrown: unknown) => {
      if (!(thrown instanceof ImportFileError)) throw thrown;
      fault = thrown;
    });
    // A file that was rejected for its content stays rejected until it is replaced.
    await this.#state.update({ done: { [file]: mark } });
    if (fault !== undefined) throw fault;
  }

  /** Applies the changes published since the extract, if its header names their URL. */
  async #takePublished(base: string): Promise<boolean> {
    const { egress, signal, folder, log: say } = this.#options;
    const { copy } = this.#state;
    const start = await this.#startOf(base);
    const header = await readMapHeader(start);
    if (header.replication === null) return false;
    const { files, sequence } = await fetchChanges(egress, header.replication, folder, signal);
    if (files.length === 0) return true;
    try {
      this.#waiting = false;
      say(`Applying ${formatCount(files.length, 'change file')}, up to number ${sequence}`);
      await this.#apply(start, files, { ...header, replication: { ...header.replication, sequence } });
      await this.#state.update({ base: `${base} ${(await markOf(base)) ?? ''}` });
    } finally {
      await Promise.all(files.map((file) => rm(file, { force: true })));
    }
    await this.#bringIn(copy);
    return true;
  }

  /** Returns the file to apply changes to: the copy, if it was made from this version of the extract. */
  async #startOf(base: string): Promise<string> {
    const { copy } = this.#state;
    if (base === copy) return copy;
    const isOurs = this.#state.stored.base === `${base} ${(await markOf(base)) ?? ''}`;
    return isOurs && (await markOf(copy)) !== undefined ? copy : base;
  }

  async #apply(start: string, files: readonly string[], header: MapHeader, since?: Date): Promise<void> {
    const changes = noChanges();
    for (const file of files) await this.#readChanges(file, changes, since);
    const dates = [header.extractedAt, changes.newest].filter((date) => hasCome(date));
    const extractedAt = dates.length === 0 ? null : new Date(Math.max(...dates.map(Number)));
    await applyChanges(start, changes, this.#state.copy, { ...header, extractedAt });
  }

  /** Counts how often a file failed. A file that has grown since counts as a new one. */
  async #readChanges(file: string, changes: MapChanges, since?: Date): Promise<void> {
    try {
      await readChanges(file, changes, since);
      this.#failures.delete(file);
    } catch (thrown) {
      const { watch, from } = this.#options;
      if (!watch || !(thrown instanceof ImportFileError)) throw thrown;
      const size = (await stat(file).catch(() => undefined))?.size ?? 0;
      const before = this.#failures.get(file);
      const attempts = before?.size === size ? before.attempts + 1 : 1;
      this.#failures.set(file, { size, attempts });
      if (attempts < CHANGE_ATTEMPTS_MAX) throw thrown;
      throw new WatchStoppedError(from, basename(file), thrown, attempts);
    }
  }

  /** Imports extracts in order of their dates, then the change files after the last applied one. */
  async #lookInFolder(folder: string): Promise<void> {
    const entries = await readdir(folder).catch((error: unknown) => {
      throw asImportFileError(folder, error);
    });
    const names = entries.sort(byNumber);
    const extracts: { file: string; header: MapHeader }[] = [];
    for (const name of names.filter((entry) => entry.endsWith('.osm.pbf'))) {
      const file = join(folder, name);
      if (await isSettled(file)) extracts.push({ file, header: await readMapHeader(file) });
    }
    extracts.sort((a, b) => Number(a.header.extractedAt) - Number(b.header.extractedAt));
    for (const { file } of extracts) await this.#bringIn(file);
    const newest = extracts.at(-1);
    if (newest === undefined) throw new ImportFileError(`${folder} contains no .osm.pbf extract.`);
    await this.#applyFrom(folder, names, newest);
  }

  async #applyFrom(
    folder: string,
    names: readonly string[],
    { file, header }: { file: string; header: MapHeader },
  ): Promise<void> {
    const start = await this.#startOf(file);
    const after = start === file ? null : this.#state.stored.change;
    const waiting: string[] = [];
    for (const name of names.filter((entry) => /\.osc(\.gz)?$/.test(entry))) {
      if (after !== null && byNumber(name, after) <= 0) continue;
      // Change files after one that is still being written must wait for it.
      if (!(await isSettled(join(folder, name)))) break;
      waiting.push(name);
    }
    const last = waiting.at(-1);
    if (last === undefined) return;
    this.#waiting = false;
    this.#options.log(`Applying ${formatCount(waiting.length, 'change file')}, up to ${last}`);
    const current = start === file ? header : await readMapHeader(start);
    const files = waiting.map((name) => join(folder, name));
    // Changes that the extract already contains are skipped.
    await this.#apply(
      start,
      files,
      { ...current, replication: null },
      hasCome(header.extractedAt) ? header.extractedAt : undefined,
    );
    await this.#state.update({ base: `${file} ${(await markOf(file)) ?? ''}`, change: last });
    await this.#bringIn(this.#state.copy);
  }
}

/** Rejects future dates, which cannot be the date of a map. */
function hasCome(date: Date | null): date is Date {
  return date !== null && date.getTime() <= Date.now() + DAY_MS;
}

/** Returns size and modification time, which identify a version of a file. */
async function markOf(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => undefined);
  return stats === undefined ? undefined : `${stats.size} ${stats.mtimeMs}`;
}

async function isSettled(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs >= SETTLED_MS;
}

/** Sorts 9 before 10 within file names. */
function byNumber(a: string, b: string): number {
  return basename(a).localeCompare(basename(b), 'en', { numeric: true });
}
