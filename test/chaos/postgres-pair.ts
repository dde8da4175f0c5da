import { setTimeout as pause } from 'node:timers/promises';
import { findPrimary } from '../../src/core/postgres/servers.ts';
import { PostgresServer } from './postgres-server.ts';

/** Time after which whoever looks after the servers notices that the primary is gone. */
const NOTICE_MS = 1_000;

/**
 * A primary with a synchronous standby. A harmed primary is replaced by the standby, and becomes the standby of its
 * successor, as Patroni does it: the new primary accepts writes alone until the other one follows it.
 */
export class PostgresPair {
  #primary: PostgresServer;
  #standby: PostgresServer;
  /** Called as soon as a standby accepts writes. */
  promoted: () => void = () => undefined;

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.#primary = primary;
    this.#standby = standby;
  }

  static async open(version: string): Promise<PostgresPair> {
    const primary = await PostgresServer.open(version);
    try {
      const standby = await PostgresServer.openStandby(version, primary);
      const pair = new PostgresPair(primary, standby);
      await primary.waitForStandby();
      await findPrimary(pair.url);
      return pair;
    } catch (thrown) {
      await primary.close();
      throw thrown;
    }
  }

  /** Names both servers, in an order that stays. */
  get url(): string {
    const [one, other] = [this.#primary, this.#standby].map(({ port }) => port).toSorted();
    return this.#primary.url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${one},127.0.0.1:${other}`);
  }

  get primaryPort(): number {
    return this.#primary.port;
  }

  async version(): Promise<string> {
    return `${await this.#primary.version()}, a primary with a synchronous standby`;
  }

  /** Kills the primary; the standby takes over. */
  async kill(): Promise<void> {
    await this.#primary.kill();
    await this.#failOver();
  }

  /** Freezes the primary; the standby takes over. */
  async freeze(): Promise<void> {
    await this.#primary.freeze();
    await this.#failOver();
  }

  async #failOver(): Promise<void> {
    await pause(NOTICE_MS);
    await this.#standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    this.promoted();
  }

  /** Wakes the old primary, which takes itself for one for a moment, and makes it a standby. */
  async thaw(): Promise<void> {
    this.#standby.thaw();
    await pause(NOTICE_MS);
    await this.#standby.kill();
    await this.start();
  }

  /** Makes the server that was replaced the standby. */
  async start(): Promise<void> {
    await this.#standby.follow(this.#primary);
    await this.#primary.waitForStandby();
  }

  async close(): Promise<void> {
    await this.#standby.close();
    await this.#primary.close();
  }
}
