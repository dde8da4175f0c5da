import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';

interface StoredState {
  /** ETag of the downloaded file, from the server. */
  etag: string | null;
  /** Files that were imported or permanently rejected, each with its size and date. */
  done: Record<string, string>;
  /** Last applied change file of a folder, and the extract that changes are applied to. */
  change: string | null;
  base: string | null;
}

/** Persistent state of a followed map, next to the copy to which changes are applied. */
export class FollowState {
  readonly #file: string;
  /** Path of the extract with all changes so far applied. */
  readonly copy: string;
  readonly stored: Readonly<StoredState>;

  private constructor(stem: string, state: StoredState) {
    this.#file = `${stem}.json`;
    this.copy = `${stem}.osm.pbf`;
    this.stored = state;
  }

  static async open(folder: string, from: string): Promise<FollowState> {
    await mkdir(folder, { recursive: true });
    const name = basename(from).replace(/\.osm\.pbf$|[^\w.-]/g, '');
    const stem = join(folder, `${name}-${createHash('sha256').update(from).digest('hex').slice(0, 8)}`);
    const text = await readFile(`${stem}.json`, 'utf8').catch(() => '');
    return new FollowState(stem, { etag: null, done: {}, change: null, base: null, ...parsed(text) });
  }

  async update(news: Partial<StoredState>): Promise<void> {
    Object.assign(this.stored, { ...news, done: { ...this.stored.done, ...news.done } });
    const part = `${this.#file}.part`;
    await writeFile(part, JSON.stringify(this.stored), { flush: true });
    await rename(part, this.#file);
  }
}

/** Parses the stored state; a damaged file counts as none, and everything is imported again. */
function parsed(text: string): Partial<StoredState> {
  try {
    return JSON.parse(text) as Partial<StoredState>;
  } catch {
    return {};
  }
}
