import type { Db, Pool } from '../core/postgres/db.ts';

declare module '../core/context.ts' {
  interface Deps {
    killSwitchGate: KillSwitchGate;
  }
}

/** True when a request may still leave for a venue; called at the moment of sending. */
export type MaySend = () => boolean;

/** Lets requests to venues through. During a drill, each is recorded outside its transaction. */
export class KillSwitchGate {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * `channel` is recorded during a drill. `hold` is the transaction that locks the kill switch. Once the lock may be
   * lost, because this node was suspended or disconnected from the database, nothing is sent any more: the switch may
   * have been thrown since.
   */
  async letOut<Result>(
    channel: string,
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
}
