import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { defineTask } from '../../jobs/task.ts';
import { finishDrill, runBegunDrill } from './drill-kill-switch.ts';
import { findRunningDrill } from './kill-switch-drill.ts';

const payload = z.object({ drill_id: z.string(), staff_id: z.string() });

declare module '../../jobs/task.ts' {
  interface Payloads {
    drill_kill_switch: z.output<typeof payload>;
  }
}

/** Runs a drill that a lead began in the console. After a crash the next run turns the switch off and ends the drill. */
export const drillJob = defineTask({
  kind: 'upkeep',
  payload,
  async run({ deps, inTransaction, signal }, { drill_id: id, staff_id: staffId }) {
    const running = await findRunningDrill(deps.pool);
    if (running?.id !== id) return;
    const { pool: db, clock, newId, log } = deps;
    const say = (line: string) => {
      log.info({ drill: id }, line);
    };
    const parts = { db, inTransaction, clock, newId, staffId, say, stop: signal };
    try {
      await (running.hasAsked ? finishDrill : runBegunDrill)(parts, id);
    } catch (thrown) {
      // A drill that was refused or interrupted has no result. It is not repeated by itself.
      if (!(thrown instanceof AppError)) throw thrown;
      say(thrown.message);
    }
  },
});
