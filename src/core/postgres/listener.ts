import pg from 'pg';
import { clientOptions, sessionSettings } from './client-options.ts';

const RETRY_MS = 200;
/** A connection that only listens is asked for a sign of life so often, and given up when it gave none the last time. */
const ASK_MS = 5_000;
const CLOSE_MS = 1_000;
const ANSWER_MS = 15_000;

interface ListeningClient {
  client: pg.Client;
  connected: Promise<unknown>;
}

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
  #current: ListeningClient | undefined;
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
    this.#heard.set(channel, [...(this.#heard.get(channel) ?? []), { receive, started }]);
    await this.#listen(this.#connect(), [channel]);
  }

  /** A database that says nothing is not waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    if (current !== undefined) {
      const timer = setTimeout(() => current.client.connection.stream.destroy(), CLOSE_MS);
      await current.connected.catch(() => undefined);
      await current.client.end();
      clearTimeout(timer);
    }
    await this.#listening;
  }

  #connect(): ListeningClient {
    if (this.#current !== undefined) return this.#current;
    const client = new pg.Client({
      ...clientOptions(this.#databaseUrl, { name: 'waypost listener' }),
      pipeline: true,
    });
    client.on('notification', ({ channel, payload }) => {
      for (const { receive } of this.#heard.get(channel) ?? []) receive(payload ?? '');
    });
    // The end follows, and begins anew.
    client.on('error', () => undefined);
    let answered = true;
    const asking = setInterval(() => {
      if (!answered) client.connection.stream.destroy();
      answered = false;
      client.query('select', () => (answered = true));
    }, ASK_MS).unref();
    const current = (this.#current = { client, connected: client.connect() });
    client.on('end', () => {
      clearInterval(asking);
      if (this.#closed || this.#current !== current) return;
      this.#current = undefined;
      this.#listening ??= this.#untilListening().finally(() => (this.#listening = undefined));
    });
    return current;
  }

  async #listen({ client, connected }: ListeningClient, channels: readonly string[]): Promise<void> {
    await connected;
    const listens = channels.map((channel) => `listen "${channel}"`);
    await client.query([sessionSettings(ANSWER_MS, false), ...listens].join('; '));
  }

  async #untilListening(): Promise<void> {
    while (this.#current === undefined && this.#heard.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (this.#closed) return;
      const current = this.#connect();
      try {
        await this.#listen(current, [...this.#heard.keys()]);
        for (const { started } of [...this.#heard.values()].flat()) started();
      } catch {
        this.#current = undefined;
        current.client.connection.stream.destroy();
      }
    }
  }
}
