import { andThen, type MaybePromise } from '../memory/maybe-promise.ts';
import { ServerWatch } from './server-watch.ts';

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s;
/** Time limit of a server's answer, and the time in which others may still answer after the first primary has. */
const ANSWER_MS = 3_000;
const OTHERS_MS = 300;
const SEARCH_EVERY_MS = 500;
/** An answer counts if the other servers were asked for a successor within this time; they are asked earlier. */
const CONFIRMED_MS = 500;
const CONFIRM_AGAIN_MS = 200;
/** The same while nothing is read or written, so that it is known which standby follows. */
const CONFIRM_IDLE_MS = 5_000;
/** Time after a primary was last heard of in which a standby that followed it may answer reads for it. */
const FOLLOWED_MS = 120_000;

/** Returns one URL for each host of a URL, which may name several: `postgres://user@a:5432,b:5432/name`. */
export function serverUrls(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url];
}

/**
 * The servers of one URL. The primary is found by asking all of them, because a standby may have been promoted. Where
 * two accept writes, the one on the later timeline was promoted last, and the other one is not used again.
 */
class Servers {
  readonly #watches: ReadonlyMap<string, ServerWatch>;
  #primary: string;
  /** Timeline of the primary; empty until it has been found. */
  #timeline = '';
  #search: Promise<void> | undefined;
  #searchedAt = -Infinity;
  /** When the other servers were last asked whether one of them has taken over. */
  #confirmedAt = -Infinity;
  #confirming: Promise<void> | undefined;
  /** When each standby last followed its primary. */
  readonly #followedAt = new Map<string, number>();
  #users = 0;

  constructor(url: string) {
    const urls = serverUrls(url);
    this.#watches = new Map(urls.map((one) => [one, new ServerWatch(one)]));
    this.#primary = urls[0] ?? url;
  }

  get primary(): string {
    return this.#primary;
  }

  get areSeveral(): boolean {
    return this.#watches.size > 1;
  }

  search(): Promise<void> {
    if (!this.areSeveral) return Promise.resolve();
    if (this.#search === undefined && performance.now() - this.#searchedAt < SEARCH_EVERY_MS)
      return Promise.resolve();
    return (this.#search ??= this.#ask().finally(() => {
      this.#search = undefined;
      this.#searchedAt = performance.now();
      this.#closeUnused();
    }));
  }

  /** True unless another server has taken over, which the others are asked first if that was not done lately. */
  confirm(server: string, isRepeated = false): MaybePromise<boolean> {
    if (server !== this.#primary) return false;
    const sinceMs = performance.now() - this.#confirmedAt;
    if (sinceMs < CONFIRM_AGAIN_MS) return true;
    this.#confirming ??= this.#askOthers().finally(() => (this.#confirming = undefined));
    if (sinceMs < CONFIRMED_MS) return true;
    // A question that was asked long before this answer came proves nothing; a second one is recent enough.
    return andThen(this.#confirming, () =>
      isRepeated ? server === this.#primary : this.confirm(server, true),
    );
  }

  confirmWhenIdle(): void {
    if (performance.now() - this.#confirmedAt >= CONFIRM_IDLE_MS) void this.confirm(this.#primary);
  }

  /** Standbys that followed the primary until lately. */
  get standbys(): string[] {
    const since = performance.now() - FOLLOWED_MS;
    return [...this.#followedAt]
      .filter(([url, at]) => url !== this.#primary && at >= since)
      .map(([url]) => url);
  }

  /** Keeps the connections to the other servers open until the returned function is called. */
  use(): () => void {
    this.#users++;
    return () => {
      this.#users--;
      this.#closeUnused();
    };
  }

  #closeUnused(): void {
    for (const [url, watch] of this.#watches) if (this.#users === 0 || url === this.#primary) watch.close();
  }

  async #ask(): Promise<void> {
    const startedAt = performance.now();
    const answers: { url: string; timeline: string }[] = [];
    await new Promise<void>((resolve) => {
      const all = [...this.#watches].map(async ([url, watch]) => {
        const { timeline = null } = (await watch.ask(ANSWER_MS)) ?? {};
        if (timeline === null || timeline < this.#timeline) return;
        answers.push({ url, timeline });
        setTimeout(resolve, OTHERS_MS);
      });
      void Promise.all(all).then(() => {
        resolve();
      });
    });
    const [last] = answers.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1));
    if (last === undefined) return;
    this.#primary = last.url;
    this.#timeline = last.timeline;
    this.#confirmedAt = startedAt;
  }

  /** Asks the servers other than the primary. One that cannot be reached in this moment cannot object. */
  async #askOthers(): Promise<void> {
    const startedAt = performance.now();
    if (this.#timeline === '') await this.search();
    const others = [...this.#watches].filter(([url]) => url !== this.#primary);
    await Promise.all(
      others.map(async ([url, watch]) => {
        const { timeline = null, follows = false } = (await watch.ask(OTHERS_MS)) ?? {};
        if (follows) this.#followedAt.set(url, startedAt);
        if (timeline === null || timeline <= this.#timeline) return;
        this.#primary = url;
        this.#timeline = timeline;
      }),
    );
    this.#confirmedAt = startedAt;
  }
}

const known = new Map<string, Servers>();

function serversOf(url: string): Servers {
  let servers = known.get(url);
  if (servers === undefined) known.set(url, (servers = new Servers(url)));
  return servers;
}

/** Finds the server that accepts writes, if there is one. A process that opens connections calls it first. */
export function findPrimary(url: string): Promise<void> {
  return serversOf(url).search();
}

/** Returns the URL for a new connection. Connections are opened after losses, so that the primary is searched again. */
export function urlToConnect(url: string): string {
  const servers = serversOf(url);
  void servers.search();
  return servers.primary;
}

/** Returns the URL of the server that was last found to accept writes. */
export function primaryOf(url: string): string {
  return serversOf(url).primary;
}

export function hasSeveralServers(url: string): boolean {
  return serversOf(url).areSeveral;
}

/** True unless another server has taken over from this one, as far as the others can be asked. */
export function confirmPrimary(url: string, server: string): MaybePromise<boolean> {
  return serversOf(url).confirm(server);
}

/** Asks the other servers now and then while nobody else does. */
export function confirmWhenIdle(url: string): void {
  serversOf(url).confirmWhenIdle();
}

/** Returns the standbys that may answer reads while there is no primary. */
export function standbysOf(url: string): string[] {
  return serversOf(url).standbys;
}

/** Keeps connections to the servers for as long as a pool uses them. Returns the function that ends it. */
export function useServers(url: string): () => void {
  return hasSeveralServers(url) ? serversOf(url).use() : () => undefined;
}
