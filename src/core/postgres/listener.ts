import pg from 'pg';

const RETRY_MS = 200;
const CONNECT_TIMEOUT_MS = 10_000;

interface Subscription {
  receive: (payload: string) => void;
  /** Runs when listening begins, and again after a lost connection came back: something may have been missed. */
  started: () => void;
}

/**
 * Hears what other processes announce through the database, for the whole node on one connection of its own.
 * When that is lost it asks again until the database is back, with one statement at a time.
 */
export class Listener {
  readonly #heard = new Map<string, Subscription[]>();
  readonly #databaseUrl: string;
  #client: Promise<pg.Client> | undefined;
  #closed = false;
  #listening: Promise<void> | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Resolves when the database has taken the wish to listen, so that nothing said afterwards is missed. */
  async on(
    channel: string,
    receive: Subscription['receive'],
    started: Subscription['started'] = () => undefined,
  ): Promise<void> {
    this.#heard.set(channel, [...(this.#heard.get(channel) ?? []), { receive: receive, started: started }]);
    await (await this.#connected()).query(`listen ${channel}`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
    await this.#listening;
  }

  #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: 'waypost listener',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      pipeline: true,
    });
    client.on('notification', ({ channel, payload }) => {
      for (const { receive } of this.#heard.get(channel) ?? []) receive(payload ?? '');
    });
    // The end follows, and begins anew.
    client.on('error', () => undefined);
    client.on('end', () => {
      this.#client = undefined;
      this.#listening ??= this.#untilListening().finally(() => (this.#listening = undefined));
    });
    return (this.#client = client.connect().then(() => client));
  }

  async #untilListening(): Promise<void> {
    while (this.#client === undefined && !this.#closed && this.#heard.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const statements = [...this.#heard.keys()].map((channel) => `listen ${channel}`).join('; ');
      try {
        await (await this.#connected()).query(statements);
        for (const { started } of [...this.#heard.values()].flat()) started();
      } catch {
        this.#client = undefined;
      }
    }
  }
}
