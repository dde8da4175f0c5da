import { postgres } from './postgres-client.ts';

const RETRY_MS = 200;

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
  readonly #sql;
  #closed = false;
  #lost = false;
  #listening: Promise<void> | undefined;

  constructor(databaseUrl: string) {
    const options = {
      max: 1,
      idle_timeout: 0,
      // The client closes connections after a while by itself; a listener would be deaf until it is back.
      max_lifetime: null,
      connect_timeout: 10,
      fetch_types: false,
      connection: { application_name: 'waypost listener' },
      onnotice: () => undefined,
      onclose: () => {
        this.#listenAgain();
      },
      // The client knows this setting although its types do not name it.
      onnotify: (channel: string, payload: string) => {
        for (const { receive } of this.#heard.get(channel) ?? []) receive(payload);
      },
    };
    this.#sql = postgres(databaseUrl, options);
  }

  /** Resolves when the database has taken the wish to listen, so that nothing said afterwards is missed. */
  async on(
    channel: string,
    receive: Subscription['receive'],
    started: Subscription['started'] = () => undefined,
  ): Promise<void> {
    this.#heard.set(channel, [...(this.#heard.get(channel) ?? []), { receive: receive, started: started }]);
    await this.#sql.unsafe(`listen ${channel}`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sql.end({ timeout: 1 });
    await this.#listening;
  }

  #listenAgain(): void {
    this.#lost = true;
    this.#listening ??= this.#untilListening().finally(() => (this.#listening = undefined));
  }

  async #untilListening(): Promise<void> {
    while (this.#lost && !this.#closed && this.#heard.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      this.#lost = false;
      const statements = [...this.#heard.keys()].map((channel) => `listen ${channel}`).join('; ');
      try {
        await this.#sql.unsafe(statements);
        for (const { started } of [...this.#heard.values()].flat()) started();
      } catch {
        this.#lost = true;
      }
    }
  }
}
