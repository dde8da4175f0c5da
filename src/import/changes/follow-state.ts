import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';

interface Kept {
  /** The mark of the downloaded file, as the server gave it. */
  etag: string | null;
  /** Files that were dealt with, each with its size and date: brought in, or refused for good. */
  done: Record<string, string>;
  /** The last change file of a folder that was applied, and the extract that they are applied to. */
  change: string | null;
  base: string | null;
}

/** What is remembered of a map that is followed, beside the copy to which changes are applied. */
export class FollowState {
  readonly #file: string;
  /** The extract as it is after all changes so far. */
  readonly copy: string;
  readonly #kept: Kept;

  private constructor(stem: string, kept: Kept) {
    this.#file = `${stem}.json`;
    this.copy = `${stem}.osm.pbf`;
    this.#kept = kept;
  }

  static async open(folder: string, from: string): Promise<FollowState> {
    await mkdir(folder, { recursive: true });
    const name = basename(from).replace(/\.osm\.pbf$|[^\w.-]/g, '');
    const stem = join(folder, `${name}-${createHash('sha256').update(from).digest('hex').slice(0, 8)}`);
    const text = await readFile(`${stem}.json`, 'utf8').catch(() => '');
    return new FollowState(stem, { ...{ etag: null, done: {}, change: null, base: null }, ...parsed(text) });
  }

  get etag(): string | null {
    return this.#kept.etag;
  }

  get change(): string | null {
    return this.#kept.change;
  }

  get base(): string | null {
    return this.#kept.base;
  }

  isDone(file: string, mark: string): boolean {
    return this.#kept.done[file] === mark;
  }

  async note(news: Partial<Omit<Kept, 'done'>> & { done?: Record<string, string> }): Promise<void> {
    Object.assign(this.#kept, { ...news, done: { ...this.#kept.done, ...news.done } });
    const part = `${this.#file}.part`;
    await writeFile(part, JSON.stringify(this.#kept), { flush: true });
    await rename(part, this.#file);
  }
}

/** What was kept; a damaged file counts as none, and everything is brought in again. */
function parsed(text: string): Partial<Kept> {
  try {
    return JSON.parse(text) as Partial<Kept>;
  } catch {
    return {};
  }
}
