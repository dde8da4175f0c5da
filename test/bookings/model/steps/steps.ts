import { HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts';
import type { Mishap } from '../fickle-venue.ts';
import * as partner from './partner-steps.ts';
import * as people from './people-steps.ts';
import { say, type Outcome, type SequenceState } from '../sequence-state.ts';
import { runTask, takeJob, dueJobs, workFor, workOff } from './take-jobs.ts';
import type { Node } from '../world.ts';

/** How long it can be until the next step. */
export const SPANS: Readonly<Record<string, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '20m': 20 * MINUTE_MS,
  '50m': 50 * MINUTE_MS,
  '3h': 3 * HOUR_MS,
  '12h': 12 * HOUR_MS,
};

const TOO_OFTEN = ' too often';

/** Does one step, or two at the same moment on two nodes. */
export async function perform(state: SequenceState, line: string): Promise<Outcome> {
  const { a, b } = state.world.nodes;
  // The partner has used up its writes of this minute before it comes to this one.
  if (line.endsWith(TOO_OFTEN)) await partner.burst(state, a);
  const [first = '', second] = line.replace(TOO_OFTEN, '').split(' | ');
  if (second === undefined) return performOne(state, first, a);
  await Promise.all([performOne(state, first, a), performOne(state, second, b)]);
  return 'done';
}

async function performOne(state: SequenceState, line: string, node: Node): Promise<Outcome> {
  const { world } = state;
  const [word = '', ...rest] = line.split(' ');
  const [what = '', which] = rest;
  switch (word) {
    case 'request':
      return partner.request(state, node, what, which);
    case 'change':
      return partner.change(state, node, what, which);
    case 'write':
      return partner.write(state, node, what);
    case 'accept':
      return partner.accept(state, node, rest[0]);
    case 'decline':
      return partner.decline(state, node, rest[0]);
    case 'other':
      return people.otherText(state, node, what, which);
    case 'cancel':
      return partner.cancel(state, node, rest[0]);
    case 'burst':
      return partner.burst(state, node);
    case 'open':
      return people.openPage(state, node);
    case 'tap':
      return people.tap(state, node, what, which);
    case 'text':
      return people.text(state, node, what, which);
    case 'call':
      return people.answerCall(state, node, what, which);
    case 'desk':
      return people.deskStep(state, node, what);
    case 'lose':
      return people.loseText(state, node);
    case 'halt':
    case 'resume':
      return people.flip(state, node, word === 'halt');
    case 'opt-out':
      return people.optOut(state);
    case 'pass':
      await world.pass(SPANS[what] ?? 0);
      state.blindUntil = world.clock.now();
      return 'done';
    case 'wait':
      state.faults.push(...(await workFor(world, SPANS[what] ?? 0)));
      if (state.halted || world.venue.condition !== 'up') state.blindUntil = world.clock.now();
      return 'done';
    case 'system':
      return what === 'reports' ? reportTables(state, node) : systemStep(state, rest.join(' '));
    case 'spoil':
      world.venue.spoil(what, which as Mishap);
      return 'skipped';
    case 'crash':
      world.nodes[what as Node['name']].points.arm(Number(which));
      return 'skipped';
    default:
      return workStep(state, word, what, which);
  }
}

function systemStep(state: SequenceState, words: string): Outcome {
  const { venue, clock } = state.world;
  const moods: Readonly<Record<string, () => void>> = {
    'asks its people': () => (venue.decides = 'PENDING_MERCHANT_CONFIRMATION'),
    'says yes': () => {
      venue.decide('CONFIRMED');
    },
    'says no': () => {
      venue.decide('DECLINED_BY_MERCHANT');
    },
    'is full': () => (venue.free = 'none'),
    'is full nearby': () => (venue.free = 'nearby'),
    'is broken': () => (venue.free = 'broken'),
    'is well': () => {
      venue.behave();
    },
    'keeps tables': () => (venue.keeps = true),
    'lets go': () => (venue.keeps = false),
    'is down': () => (venue.condition = 'down'),
    'is mute': () => (venue.condition = 'mute'),
    cancels: () => {
      if (venue.live().some(({ status }) => status === 'CONFIRMED')) state.tookBackAt = clock.now();
      say(state, 'system cancels');
      venue.clearTables();
    },
  };
  moods[words]?.();
  return 'done';
}

/** system reports: it calls us about every table that it has had. */
async function reportTables({ world, faults }: SequenceState, node: Node): Promise<Outcome> {
  const { crashes } = node.points;
  for (const booking_id of world.venue.tables.keys()) {
    const { status } = await node.service.request(`/webhooks/venue-system/${world.placeId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('waypost:secret').toString('base64')}`,
      },
      body: JSON.stringify({ booking_id }),
    });
    if (node.points.crashes > crashes) return 'crashed';
    if (status !== 200) faults.push(`a report of a table was answered ${status}`);
  }
  return 'done';
}

/** work: all that is due. one: the first of it. again: a look at the booking, whether it is due or not. */
async function workStep(state: SequenceState, word: string, name: string, order?: string): Promise<Outcome> {
  const { world, record } = state;
  const node = world.nodes[name as Node['name']];
  if (word === 'work')
    state.faults.push(...(await workOff(world, node, order === 'last' ? 'last' : 'first')));
  if (word === 'one') {
    const [job] = await dueJobs(world);
    const fault = job && (await takeJob(world, node, job));
    if (fault !== undefined) state.faults.push(fault);
  }
  if (word === 'again' && record !== undefined) {
    const fault = await runTask(node, 'advance_booking', { booking_id: record.booking.id });
    if (fault !== undefined && fault !== 'crashed') state.faults.push(fault);
  }
  return 'done';
}
