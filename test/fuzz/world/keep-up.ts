import { flipKillSwitch } from '../../../src/bookings/kill-switch/flip-kill-switch.ts';
import { passTime } from '../../harness/service/jobs.ts';
import { STEP_MS, type World } from './world.ts';

const MESSAGES = 120;

/** Lets a minute pass, so that rate limits begin anew, and learns what people were sent meanwhile. */
export async function keepUp(world: World): Promise<void> {
  const { service } = world;
  const { deps } = service.app;
  await passTime(service, STEP_MS);
  const [halted] = await deps.pool<{ by_staff: string }[]>`select by_staff from kill_switch where halted`;
  // Halted bookings end most of what requests could reach.
  if (halted !== undefined)
    await deps.pool.begin((tx) =>
      flipKillSwitch(
        tx,
        { now: deps.clock.now(), newId: deps.newId },
        { on: false, reason: 'to go on', staffId: halted.by_staff },
      ),
    );
  const messages = await deps.pool<{ body: string }[]>`
    select body from message order by sequence desc limit ${MESSAGES}`;
  for (const { body } of messages) world.learnLinks(body);
}
