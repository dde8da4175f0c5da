import { sameDependencies, DependencyCache } from '../../../core/memory/dependency-cache.ts';
import { pageBody, type EncodedBody } from './send-page.ts';

declare module '../../../core/context.ts' {
  interface Deps {
    preparedPages: PreparedPages;
  }
}

/** Maximum size of the cached pages of one process. */
const CACHE_BYTES = 32 * 2 ** 20;

interface PendingPage {
  dependencies: readonly unknown[];
  body: Promise<EncodedBody>;
}

/**
 * Cache of rendered pages that do not depend on the visitor, valid while their dependencies are unchanged. Concurrent
 * requests for the same page share one rendering.
 */
export class PreparedPages {
  readonly #cache = new DependencyCache<EncodedBody>(CACHE_BYTES);
  readonly #pending = new Map<string, PendingPage>();

  /** `name` is the cache key of the page; `dependencies` lists the dependencies that invalidate it. */
  find(
    name: string,
    dependencies: readonly unknown[],
    make: () => string | Promise<string>,
    contentType?: string,
  ): EncodedBody | Promise<EncodedBody> {
    const cached = this.#cache.find(name, dependencies);
    if (cached !== undefined) return cached;
    const pending = this.#pending.get(name);
    if (pending !== undefined && sameDependencies(pending.dependencies, dependencies)) return pending.body;
    const body = Promise.try(make).then((markup) =>
      this.#keep(name, dependencies, pageBody(markup, contentType)),
    );
    this.#pending.set(name, { dependencies, body });
    const end = () => {
      if (this.#pending.get(name)?.body === body) this.#pending.delete(name);
    };
    body.then(end, end);
    return body;
  }

  #keep(name: string, dependencies: readonly unknown[], body: EncodedBody): EncodedBody {
    // Counts the uncompressed bytes twice: the two compressed forms together are smaller than the original.
    this.#cache.keep(name, dependencies, body, body.bytes.length * 2);
    return body;
  }
}
