import pg from 'pg';

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s;
/** Time limit of a server's answer, and the time in which others may still answer after the first primary has. */
const ANSWER_MS = 3_000;
const OTHERS_MS = 300;
const SEARCH_EVERY_MS = 500;

/** Returns one URL for each host of a URL, which may name several: `postgres://user@a:5432,b:5432/name`. */
export function serverUrls(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url];
}

/**
 * The servers of one URL. The primary is found by asking all of them, because a standby may have been promoted. Where
 * two accept writes, the one on the later timeline was promoted last.
 */
class Servers {
  readonly #urls: readonly string[];
  #primary: string;
  #search: Promise<void> | undefined;
  #searchedAt = -Infinity;

  constructor(url: string) {
    this.#urls = serverUrls(url);
    this.#primary = this.#urls[0] ?? url;
  }

  get primary(): string {
    return this.#primary;
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1;
  }

  search(): Promise<void> {
    if (!this.areSeveral) return Promise.resolve();
    if (this.#search === undefined && performance.now() - this.#searchedAt < SEARCH_EVERY_MS)
      return Promise.resolve();
    return (this.#search ??= this.#ask().finally(() => {
      this.#search = undefined;
      this.#searchedAt = performance.now();
    }));
  }

  async #ask(): Promise<void> {
    const answers: { url: string; timeline: string }[] = [];
    await new Promise<void>((resolve) => {
      const all = this.#urls.map(async (url) => {
        const timeline = await timelineOf(url);
        if (timeline === undefined) return;
        answers.push({ url, timeline });
        setTimeout(resolve, OTHERS_MS);
      });
      void Promise.all(all).then(() => {
        resolve();
      });
    });
    const [last] = answers.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1));
    if (last !== undefined) this.#primary = last.url;
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

const TIMELINE_SQL = `
  select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** Returns the timeline of a server that accepts writes, as eight hexadecimal digits. */
async function timelineOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'waypost search',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(TIMELINE_SQL);
    return rows[0]?.timeline ?? undefined;
  } catch {
    return undefined;
  } finally {
    client.connection.stream.destroy();
  }
}
