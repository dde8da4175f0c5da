import { HOUR_MS } from '../../../src/core/time.ts';
import { checkAtRest } from './at-rest.ts';
import { readRecord } from './booking-record.ts';
import { flip } from './steps/people-steps.ts';
import { observe, outsideOf } from './observe.ts';
import { newState, type SequenceState } from './sequence-state.ts';
import { perform } from './steps/steps.ts';
import { untilNextJob, workOff } from './steps/take-jobs.ts';
import type { PlaceKind, World } from './world.ts';

/** Far more than any booking needs to come to its end. */
const WAITS_MAX = 400;
/** No job waits for longer than this, with the table at most two days ahead. */
const REST_MS = 72 * HOUR_MS;

/** Does the steps one after the other, lets everything come to rest, and gives what is not as it must be. */
export async function runSequence(world: World, lines: readonly string[]): Promise<string[]> {
  const [place = '', ...steps] = lines;
  await world.begin(place.replace('place ', '') as PlaceKind);
  const state = newState(world);
  for (const line of steps) {
    await take(state, line, () => perform(state, line));
    if (state.faults.length > 0) return state.faults;
  }
  await settle(state);
  if (state.faults.length === 0) await checkAtRest(state);
  return [...new Set(state.faults)];
}

async function take(
  state: SequenceState,
  line: string,
  act: () => ReturnType<typeof perform>,
): Promise<void> {
  const { record: before, world } = state;
  const outside = outsideOf(state);
  state.said = [];
  const outcome = await act();
  state.record = await readRecord(world.pool);
  observe(state, { line, outcome, before, outside });
}

/** The other side is well again, the switch is off, nobody dies any more, and time goes on until nothing is due. */
async function settle(state: SequenceState): Promise<void> {
  const { world } = state;
  const { a, b } = world.nodes;
  for (const node of [a, b]) node.points.disarm();
  world.venue.behave();
  await take(state, 'resume', () => flip(state, a, false));
  let rested = 0;
  for (let wait = 0; wait < WAITS_MAX; wait++) {
    await take(state, 'rest', async () => {
      state.faults.push(...(await workOff(world, wait % 2 === 0 ? a : b)));
      return 'done';
    });
    if (state.faults.length > 0) return;
    const ms = await untilNextJob(world);
    if (ms === undefined && rested > 0) return;
    if (ms === undefined) rested++;
    // A confirmed table is looked at often; late looks must find the same.
    const late = state.record?.booking.status === 'confirmed' ? 4 : 1;
    await world.pass(ms === undefined ? REST_MS : Math.max(0, Math.ceil(ms * late)) + 1_000);
  }
  state.faults.push('7 it never comes to rest');
}
