import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EgressError } from '../../core/egress/egress-error.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';
import type { Progress } from '../../core/progress.ts';
import { DAY_MS } from '../../core/time.ts';
import { counted } from '../../core/text/counted.ts';
import { asImportFileError, ImportFileError } from '../import-file-error.ts';
import { readMapHeader, type MapHeader } from '../osm/map-header.ts';
import { applyChanges } from './apply-changes.ts';
import { noChanges, readChanges, type MapChanges } from './change-file.ts';
import { download } from './download.ts';
import { FollowState } from './follow-state.ts';
import { WatchStoppedError, type WatchStop } from './watch-stop.ts';
import { fetchChanges } from './replication.ts';

export interface FollowOptions {
  /** A file, a folder of extracts and change files, or an address. */
  from: string;
  /** Where copies of the map and what is remembered of them are kept. */
  folder: string;
  /** Goes on until the signal ends it; without it, what is there now is brought in. */
  watch: boolean;
  egress: EgressPolicy;
  signal: AbortSignal;
  say: (line: string) => void;
  progress: (label: string) => Progress;
  bringIn: (file: string) => Promise<void>;
  /** Told once when a watch works, and when it ends because of a change file. */
  noteFollowed?: (source: string) => Promise<void>;
  noteStopped?: (stop: WatchStop) => Promise<void>;
  /** How long to wait before looking again, in milliseconds. */
  everyMs?: { here: number; away: number };
}

const EVERY_MS = { here: 5_000, away: 600_000 };
/** A file that was written to this long ago is taken for whole; one that is not is refused, and taken when it has grown. */
const SETTLED_MS = 1_000;

/** Until then the file may be replaced by a better one. */
const CHANGE_ATTEMPTS_MAX = 3;

/** Brings in a map, and then whatever newer comes: extracts, and change files in their order. */
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
  #told = '';
  #isNoted = false;

  constructor(options: FollowOptions, state: FollowState) {
    this.#options = options;
    this.#state = state;
  }

  /** An extract at an address, and then the changes that it says are published; or else newer extracts there. */
  async lookAtAddress(): Promise<true> {
    await this.#tolerantly(async () => {
      const { from: url, progress, signal, watch, bringIn } = this.#options;
      const { copy } = this.#state;
      const held = await readMapHeader(copy).catch(() => undefined);
      if (held?.replication == null) {
        const etag = held === undefined ? null : this.#state.etag;
        const taken = await download({ url, target: copy, etag, progress: progress('Map'), signal });
        if (taken !== undefined) await this.#state.note({ etag: taken });
      }
      if (!watch) return bringIn(copy);
      await this.#bringIn(copy);
      await this.#takePublished(copy);
    });
    return true;
  }

  /** A file or a folder. Gives whether something is to be asked elsewhere. */
  async look(): Promise<boolean> {
    let isAway = false;
    await this.#tolerantly(async () => {
      const { from, watch } = this.#options;
      const found = await stat(from).catch((error: unknown) => {
        throw asImportFileError(from, error);
      });
      if (found.isDirectory()) await this.#lookInFolder(from);
      else if (!watch) await this.#options.bringIn(from);
      else {
        await this.#bringIn(from);
        isAway = await this.#takePublished(from);
      }
    });
    return isAway;
  }

  /** While watching, what goes wrong is told, and the next look may find it mended. */
  async #tolerantly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#told = '';
      this.#sayWaiting();
      await this.#noteFollowed();
    } catch (thrown) {
      const { watch, signal, say } = this.#options;
      if (signal.aborted) return;
      if (thrown instanceof WatchStoppedError) await this.#options.noteStopped?.(thrown.stop);
      if (
        thrown instanceof WatchStoppedError ||
        !watch ||
        !(thrown instanceof ImportFileError || thrown instanceof EgressError)
      )
        throw thrown;
      this.#waiting = false;
      if (thrown.message !== this.#told) say(thrown.message);
      this.#told = thrown.message;
    }
  }

  async #noteFollowed(): Promise<void> {
    const { watch, from, noteFollowed } = this.#options;
    if (!watch || this.#isNoted) return;
    await noteFollowed?.(from);
    this.#isNoted = true;
  }

  #sayWaiting(): void {
    const { watch, from, say } = this.#options;
    if (watch && !this.#waiting) say(`Watching ${from}; stop with Ctrl-C.`);
    this.#waiting = true;
  }

  async #bringIn(file: string): Promise<void> {
    const mark = await markOf(file);
    if (mark === undefined || this.#state.isDone(file, mark)) return;
    this.#waiting = false;
    this.#options.say(`Bringing in ${file}`);
    try {
      await this.#options.bringIn(file);
    } catch (thrown) {
      // What the file itself is refused for stays so until there is another one.
      if (thrown instanceof ImportFileError) await this.#state.note({ done: { [file]: mark } });
      throw thrown;
    }
    await this.#state.note({ done: { [file]: mark } });
  }

  /** Applies what is published after the extract, where its head says where that is. */
  async #takePublished(base: string): Promise<boolean> {
    const { egress, signal, folder, say } = this.#options;
    const { copy } = this.#state;
    const start = await this.#startOf(base);
    const header = await readMapHeader(start);
    if (header.replication === null) return false;
    const { files, sequence } = await fetchChanges(egress, header.replication, folder, signal);
    if (files.length === 0) return true;
    try {
      this.#waiting = false;
      say(`Applying ${counted(files.length, 'change file', 'change files')}, up to number ${sequence}`);
      await this.#apply(start, files, { ...header, replication: { ...header.replication, sequence } });
      await this.#state.note({ base: `${base} ${(await markOf(base)) ?? ''}` });
    } finally {
      await Promise.all(files.map((file) => rm(file, { force: true })));
    }
    await this.#bringIn(copy);
    return true;
  }

  /** Where changes go on: at the copy, if it was made of this extract as it is now. */
  async #startOf(base: string): Promise<string> {
    const { copy } = this.#state;
    if (base === copy) return copy;
    const isOurs = this.#state.base === `${base} ${(await markOf(base)) ?? ''}`;
    return isOurs && (await markOf(copy)) !== undefined ? copy : base;
  }

  async #apply(start: string, files: readonly string[], header: MapHeader, since?: Date): Promise<void> {
    const changes = noChanges();
    for (const file of files) await this.#readChanges(file, changes, since);
    const dates = [header.extractedAt, changes.newest].filter((date) => hasCome(date));
    const extractedAt = dates.length === 0 ? null : new Date(Math.max(...dates.map(Number)));
    await applyChanges(start, changes, this.#state.copy, { ...header, extractedAt });
  }

  /** Counts how often a file failed as it is. One that has grown since counts as another. */
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

  /** Extracts in the order of their dates, then the change files that came after the last one that was applied. */
  async #lookInFolder(folder: string): Promise<void> {
    const entries = await readdir(folder).catch((error: unknown) => {
      throw asImportFileError(folder, error);
    });
    const names = entries.sort(byNumber);
    const extracts: { file: string; header: MapHeader }[] = [];
    for (const name of names.filter((one) => one.endsWith('.osm.pbf'))) {
      const file = join(folder, name);
      if (await isSettled(file)) extracts.push({ file, header: await readMapHeader(file) });
    }
    extracts.sort((a, b) => Number(a.header.extractedAt) - Number(b.header.extractedAt));
    for (const { file } of extracts) await this.#bringIn(file);
    const newest = extracts.at(-1);
    if (newest === undefined) throw new ImportFileError(`${folder} holds no .osm.pbf extract.`);
    await this.#applyFrom(folder, names, newest);
  }

  async #applyFrom(
    folder: string,
    names: readonly string[],
    { file, header }: { file: string; header: MapHeader },
  ): Promise<void> {
    const start = await this.#startOf(file);
    const after = start === file ? null : this.#state.change;
    const waiting: string[] = [];
    for (const name of names.filter((one) => /\.osc(\.gz)?$/.test(one))) {
      if (after !== null && byNumber(name, after) <= 0) continue;
      // Those after one that is still being written wait with it.
      if (!(await isSettled(join(folder, name)))) break;
      waiting.push(name);
    }
    const last = waiting.at(-1);
    if (last === undefined) return;
    this.#waiting = false;
    this.#options.say(`Applying ${counted(waiting.length, 'change file', 'change files')}, up to ${last}`);
    const current = start === file ? header : await readMapHeader(start);
    const files = waiting.map((name) => join(folder, name));
    // What the extract has already is not done again.
    await this.#apply(
      start,
      files,
      { ...current, replication: null },
      hasCome(header.extractedAt) ? header.extractedAt : undefined,
    );
    await this.#state.note({ base: `${file} ${(await markOf(file)) ?? ''}`, change: last });
    await this.#bringIn(this.#state.copy);
  }
}

/** A date that has not come is no date of a map. */
function hasCome(date: Date | null): date is Date {
  return date !== null && date.getTime() <= Date.now() + DAY_MS;
}

/** Size and date, by which a file is known to be the same. */
async function markOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}

async function isSettled(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs >= SETTLED_MS;
}

/** 9 before 10, whatever stands around them. */
function byNumber(a: string, b: string): number {
  return basename(a).localeCompare(basename(b), 'en', { numeric: true });
}
