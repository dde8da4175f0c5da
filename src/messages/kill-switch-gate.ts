import { connect, POOL_END_SECONDS, STATEMENT_TIMEOUT_MS, type Db, type Pool } from '../core/postgres/db.ts';

declare module '../core/context.ts' {
  interface Deps {
    killSwitchGate: KillSwitchGate;
  }
}

export type OutboundChannel = 'sms' | 'mail' | 'phone' | 'venue_system';

export type MaySend = () => boolean;

/** Lets requests to venues through. During a drill, each is recorded outside its transaction. */
export class KillSwitchGate {
  /** Separate pool: the caller already holds a connection and must not wait for a second one from the same pool. */
  readonly #pool: Pool;

  constructor(databaseUrl: string) {
    this.#pool = connect(databaseUrl, { max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  }

  /** `hold` locks the kill switch. Once that lock may be lost, nothing is sent any more. */
  async letOut<Result>(
    channel: OutboundChannel,
    hold: Db,
    leave: (maySend: MaySend) => Promise<Result>,
  ): Promise<Result> {
    const [action] = await this.#pool<{ id: string }[]>`
      insert into outbound_action (drill_id, channel)
      select id, ${channel} from kill_switch_drill where ended_at is null returning id::text as id`;
    if (action === undefined) return leave(hold.holdsLocks);
    try {
      return await leave(hold.holdsLocks);
    } finally {
      await this.#pool`update outbound_action set ended_at = clock_timestamp() where id = ${action.id}`;
    }
  }

  close(): Promise<void> {
    return this.#pool.end({ timeout: POOL_END_SECONDS });
  }
}
