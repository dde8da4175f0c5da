import pg from 'pg';
import { connectionError } from './connection-error.ts';
import { clientOptions, sessionSettings } from './client-options.ts';
import { primaryOf } from './servers.ts';

const RETRY_MS = 200;
/** Heartbeat interval of the listening connection; it is closed when the previous heartbeat was not answered. */
const ASK_MS = 5_000;
/** The connection is closed this soon after another server has become the primary. */
const LOOK_MS = 250;
const CLOSE_MS = 1_000;
const ANSWER_MS = 15_000;

interface ListeningClient {
  client: pg.Client;
  connected: Promise<unknown>;
}

interface Subscription {
  receive: (payload: string) => void;
  /** Called when listening begins, and again after a reconnect, because notifications may have been missed. */
  started: () => void;
}

/** Receives notifications of other processes, for the whole node on one connection that reconnects. */
export class Listener {
  readonly #subscriptions = new Map<string, Subscription[]>();
  readonly #databaseUrl: string;
  #current: ListeningClient | undefined;
  #closed = false;
  #listening: Promise<void> | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Resolves when the database listens, so that no later notification is missed. */
  async on(
    channel: string,
    receive: Subscription['receive'],
    started: Subscription['started'] = () => undefined,
  ): Promise<void> {
    this.#subscriptions.set(channel, [...(this.#subscriptions.get(channel) ?? []), { receive, started }]);
    try {
      await this.#listen(this.#connect(), [channel]);
    } catch (thrown) {
      const { code } = connectionError(thrown as Error) as { code?: string };
      if (code !== 'CONNECT_TIMEOUT') throw thrown;
      // The machine is busy, and further attempts listen to this channel, too.
      await this.#reconnect();
    }
  }

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
      for (const { receive } of this.#subscriptions.get(channel) ?? []) receive(payload ?? '');
    });
    // The 'end' event follows and reconnects.
    client.on('error', () => undefined);
    const server = primaryOf(this.#databaseUrl);
    let answered = true;
    let isOpen = false;
    const looking = setInterval(() => {
      if (primaryOf(this.#databaseUrl) !== server) client.connection.stream.destroy();
    }, LOOK_MS).unref();
    const asking = setInterval(() => {
      if (!answered) client.connection.stream.destroy();
      if (!isOpen) return;
      answered = false;
      client.query('select', () => (answered = true));
    }, ASK_MS).unref();
    const connected = client.connect().then(() => (isOpen = true));
    const current = (this.#current = { client, connected });
    client.on('end', () => {
      clearInterval(looking);
      clearInterval(asking);
      if (!this.#closed && this.#current === current) void this.#reconnect();
    });
    return current;
  }

  #reconnect(): Promise<void> {
    this.#current = undefined;
    return (this.#listening ??= this.#untilListening().finally(() => (this.#listening = undefined)));
  }

  async #listen({ client, connected }: ListeningClient, channels: readonly string[]): Promise<void> {
    await connected;
    const listens = channels.map((channel) => `listen "${channel}"`);
    await client.query(
      [sessionSettings(this.#databaseUrl, { statementTimeoutMs: ANSWER_MS }), ...listens].join('; '),
    );
  }

  async #untilListening(): Promise<void> {
    while (this.#current === undefined && this.#subscriptions.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (this.#closed) return;
      const current = this.#connect();
      try {
        await this.#listen(current, [...this.#subscriptions.keys()]);
        for (const { started } of [...this.#subscriptions.values()].flat()) started();
      } catch {
        this.#current = undefined;
        current.client.connection.stream.destroy();
      }
    }
  }
}
