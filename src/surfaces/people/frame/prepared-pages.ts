import { isSame, KeptWhile } from '../../../core/memory/kept-while.ts';
import type { EncodedBody } from './encoded-body.ts';
import { pageBody } from './send-page.ts';

declare module '../../../core/context.ts' {
  interface Deps {
    preparedPages: PreparedPages;
  }
}

/** How much of the pages of a node may be kept. */
const KEPT_BYTES = 32 * 2 ** 20;

interface Making {
  restsOn: readonly unknown[];
  body: Promise<EncodedBody>;
}

/**
 * Pages that are the same for everybody who asks alike, kept as bytes while what they rest on is the same. Whoever asks
 * for one that is being made waits for that one.
 */
export class PreparedPages {
  readonly #kept = new KeptWhile<EncodedBody>(KEPT_BYTES);
  readonly #making = new Map<string, Making>();

  /** `name` says all that makes one page differ from another, `restsOn` all by which the same page changes. */
  find(
    name: string,
    restsOn: readonly unknown[],
    make: () => string | Promise<string>,
    contentType?: string,
  ): EncodedBody | Promise<EncodedBody> {
    const known = this.#kept.find(name, restsOn);
    if (known !== undefined) return known;
    const making = this.#making.get(name);
    if (making !== undefined && isSame(making.restsOn, restsOn)) return making.body;
    const body = Promise.try(make).then((markup) => this.#keep(name, restsOn, pageBody(markup, contentType)));
    this.#making.set(name, { restsOn, body });
    const end = () => {
      if (this.#making.get(name)?.body === body) this.#making.delete(name);
    };
    body.then(end, end);
    return body;
  }

  #keep(name: string, restsOn: readonly unknown[], body: EncodedBody): EncodedBody {
    // As it is, and in two compressed forms that together are smaller.
    this.#kept.keep(name, restsOn, body, body.bytes.length * 2);
    return body;
  }
}
