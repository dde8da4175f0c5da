import { connect, POOL_END_SECONDS, STATEMENT_TIMEOUT_MS, type Db, type Pool } from '../core/postgres/db.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** What leaves for venues goes through this. */
    outbound: Outbound;
  }
}

/** By what something leaves for a venue. */
export type OutboundChannel = 'sms' | 'mail' | 'phone' | 'venue_system';

/** Whether something may still leave for a venue, asked at the moment at which it goes out. */
export type MayLeave = () => boolean;

/**
 * Lets things leave for venues. During a drill of the kill switch the database notes when each began and ended, in
 * statements of their own: a transaction that fails takes nothing back, and what ignores the switch is seen too.
 */
export class Outbound {
  /** A connection of its own: whoever acts holds one already, and must not wait for a second of the same pool. */
  readonly #pool: Pool;

  constructor(databaseUrl: string) {
    this.#pool = connect(databaseUrl, { max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  }

  /**
   * `hold` is the transaction that holds the kill switch where it is. Once it may have lost it, because this node stood
   * still or its way to the database was cut, nothing leaves any more: somebody may have thrown the switch since.
   */
  async letOut<Result>(
    channel: OutboundChannel,
    hold: Db,
    leave: (mayLeave: MayLeave) => Promise<Result>,
  ): Promise<Result> {
    const [noted] = await this.#pool<{ id: string }[]>`
      insert into outbound_action (drill_id, channel)
      select id, ${channel} from kill_switch_drill where ended_at is null returning id::text as id`;
    if (noted === undefined) return leave(hold.holdsLocks);
    try {
      return await leave(hold.holdsLocks);
    } finally {
      await this.#pool`update outbound_action set ended_at = clock_timestamp() where id = ${noted.id}`;
    }
  }

  close(): Promise<void> {
    return this.#pool.end({ timeout: POOL_END_SECONDS });
  }
}
