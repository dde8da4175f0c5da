import { HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts';
import { rpc } from '../../../harness/clients/mcp.ts';
import { CONCIERGE_MCP } from '../../asking-partner.ts';
import { isSame, type BookingRecord, type ChoiceRecord } from '../booking-record.ts';
import { say, type Outcome, type SequenceState } from '../sequence-state.ts';
import { startOf, tableTime, WRITES_PER_MINUTE, type Node } from '../world.ts';

/** Refusals after the venue was asked: its answer stays on record. */
const UNSURE = ['not_cancellable', 'idempotency_in_progress'];

interface Told {
  outcome: Outcome;
  code: string | undefined;
  answer: { status: string; booked: boolean } | undefined;
}

async function call(
  state: SequenceState,
  node: Node,
  tool: string,
  input: object,
  path = CONCIERGE_MCP,
): Promise<Told> {
  const { partner } = state.world;
  const { crashes } = node.points;
  const message = { id: 1, method: 'tools/call', params: { name: tool, arguments: input } };
  const { body } = await rpc(node.service, path, message, partner.headers);
  if (node.points.crashes > crashes) return { outcome: 'crashed', code: undefined, answer: undefined };
  const { isError, content, structuredContent } = (body.result ?? {}) as {
    isError?: boolean;
    content?: { text: string }[];
    structuredContent?: { status: string; booked: boolean };
  };
  const refusal = body.error?.message ?? (isError === true ? (content?.[0]?.text ?? '') : undefined);
  if (refusal === undefined) return { outcome: 'done', code: undefined, answer: structuredContent };
  const code = refusal.split(':')[0] ?? '';
  if (/internal|maintenance/.test(code)) state.faults.push(`${tool} failed: ${refusal}`);
  return { outcome: UNSURE.includes(code) ? 'unsure' : 'refused', code, answer: undefined };
}

const AHEAD: Readonly<Record<string, number>> = {
  soon: 40 * MINUTE_MS,
  today: 9 * HOUR_MS,
  tomorrow: 27 * HOUR_MS,
};

const WINDOW_MS = 90 * MINUTE_MS;

/** How long before the table a guest stops waiting for it. */
const WAIT_BEFORE_MS = 20 * MINUTE_MS;

/** How long a venue of a choice may be silent here. */
const ANSWER_WITHIN_MIN = 15;

/**
 * request <when> [window|choice|wait]: a table for two, at one time, at any of a window, at the first of three venues, or
 * with a wait for a free table until shortly before it. A second one for the same table is a duplicate.
 */
export async function request(
  state: SequenceState,
  node: Node,
  when: string,
  extent?: string,
): Promise<Outcome> {
  const { world, record } = state;
  if (record !== undefined && !isDuplicate(state, record)) return 'skipped';
  const asked = record?.booking ?? tableTime(world.clock.now(), AHEAD[when] ?? 0);
  const { outcome } = await call(state, node, 'request_table', {
    place_id: world.placeId,
    date: asked.date,
    time: asked.time,
    ...(extent === 'window' && { time_until: tableTime(new Date(startOf(asked) * 1000), WINDOW_MS).time }),
    ...(extent === 'choice' && {
      alternatives: world.others.map(({ id }) => id),
      answer_within_minutes: ANSWER_WITHIN_MIN,
    }),
    ...(extent === 'wait' && { wait_until: new Date(startOf(asked) * 1000 - WAIT_BEFORE_MS).toISOString() }),
    party_size: 2,
    guest_name: 'Guest Example',
  });
  return outcome;
}

/** Only one booking is followed: a second request is made where it is no booking of its own. */
function isDuplicate({ world }: SequenceState, { booking }: BookingRecord): boolean {
  const age = world.clock.now().getTime() - Date.parse(booking.created_at);
  return booking.status !== 'cancelled' && age < 23 * HOUR_MS;
}

/** The revision on which a call says it was decided. */
function revisionOf({ record }: SequenceState, which: string | undefined): { if_revision?: number } {
  const revision = record?.booking.revision ?? 1;
  if (which === 'right') return { if_revision: revision };
  return which === 'wrong' ? { if_revision: revision === 1 ? 2 : revision - 1 } : {};
}

const OFFSETS_MIN = [60, -30, 30];

/** change time|date|size|notes|offered [right|wrong]; offered: to what the venue offers, which takes the offer. */
export async function change(
  state: SequenceState,
  node: Node,
  what: string,
  which?: string,
): Promise<Outcome> {
  const { record } = state;
  if (record === undefined) return 'skipped';
  const { id, date, time, party_size } = record.booking;
  const open = record.offers.filter((one) => one.state === 'open');
  const [offer] = open;
  if (what === 'offered' && offer === undefined) return 'skipped';
  const nth = state.changes++;
  const moved = (ms: number) => tableTime(new Date(startOf({ date, time }) * 1000), ms);
  const changed =
    what === 'time'
      ? moved((OFFSETS_MIN[nth % OFFSETS_MIN.length] ?? 0) * MINUTE_MS)
      : what === 'date'
        ? { date: moved(24 * HOUR_MS).date }
        : what === 'size'
          ? { party_size: party_size + 1 }
          : what === 'offered' && offer !== undefined
            ? { date: offer.date, time: offer.time, party_size: offer.party_size }
            : { notes: `A window seat, wish ${'abcdefghijklmnop'[nth % 16] ?? ''}.` };
  say(state, 'partner change');
  const wanted = { date, time, party_size, ...changed };
  if (what !== 'notes' && open.some((one) => isSame(one, wanted))) say(state, 'partner accept');
  const input = { booking_id: id, ...changed, ...revisionOf(state, which) };
  const { outcome, answer } = await call(state, node, 'modify_booking', input);
  if (outcome === 'done') state.told = answer;
  return outcome;
}

const CODES: Readonly<Record<string, object>> = {
  late: { code: 'late', minutes: 15 },
  seat: { code: 'child_seat' },
  more: { code: 'one_more' },
  fewer: { code: 'one_fewer' },
};

/** write late|seat|more|fewer: a coded message to the venue; the last two request a change. */
export async function write(state: SequenceState, node: Node, what: string): Promise<Outcome> {
  const { record } = state;
  if (record === undefined) return 'skipped';
  if (what === 'more' || what === 'fewer') say(state, 'partner change');
  const input = { booking_id: record.booking.id, ...CODES[what] };
  const { outcome, answer } = await call(
    state,
    node,
    'message_venue',
    input,
    `${CONCIERGE_MCP}?profile=full`,
  );
  if (outcome === 'done') state.told = answer;
  return outcome;
}

/** accept [right|wrong|other]: the first offer that is open, or the last that was. */
export async function accept(state: SequenceState, node: Node, which?: string): Promise<Outcome> {
  if (which === 'other') return acceptOther(state, node);
  const { record } = state;
  const offer = record?.offers.find((one) => one.state === 'open') ?? record?.offers.at(-1);
  if (record === undefined || offer === undefined) return 'skipped';
  say(state, 'partner accept');
  const input = { booking_id: record.booking.id, accept_offer: offer.id, ...revisionOf(state, which) };
  const { outcome, answer } = await call(state, node, 'modify_booking', input);
  if (outcome === 'done') state.told = answer;
  return outcome;
}

/** decline [other]: the offer of the first venue, or of the newest further one of the choice. */
export async function decline(state: SequenceState, node: Node, which?: string): Promise<Outcome> {
  const { record } = state;
  const id = which === 'other' ? newestOther(state)?.id : record?.booking.id;
  if (id === undefined) return 'skipped';
  if (which === undefined) {
    say(state, 'partner decline');
    say(state, 'partner cancel');
  }
  const { outcome } = await call(state, node, 'modify_booking', { booking_id: id, decline_offer: true });
  if (outcome === 'refused' && which === undefined) state.said.push('partner refused');
  return outcome;
}

function newestOther({ record }: SequenceState): ChoiceRecord['bookings'][number] | undefined {
  return record?.choice?.bookings.filter(({ position }) => position > 1).at(-1);
}

/** accept other: what the newest further venue of the choice offers. */
async function acceptOther(state: SequenceState, node: Node): Promise<Outcome> {
  const other = newestOther(state);
  const offer = other?.offers.at(-1);
  if (other === undefined || offer === undefined) return 'skipped';
  const input = { booking_id: other.id, accept_offer: offer.id };
  return (await call(state, node, 'modify_booking', input)).outcome;
}

/** cancel other: the newest further booking of the choice, and with it what is open. */
async function cancelOther(state: SequenceState, node: Node): Promise<Outcome> {
  const other = newestOther(state);
  if (other === undefined) return 'skipped';
  return (await call(state, node, 'cancel_booking', { booking_id: other.id })).outcome;
}

/** cancel [right|wrong|other] */
export async function cancel(state: SequenceState, node: Node, which?: string): Promise<Outcome> {
  const { record } = state;
  if (record === undefined) return 'skipped';
  if (which === 'other') return cancelOther(state, node);
  const input = { booking_id: record.booking.id, reason: 'The guest is ill.', ...revisionOf(state, which) };
  // A cancellation refused for its revision or for the rate was never sent to the venue.
  say(state, 'partner cancel');
  const { outcome, code, answer } = await call(state, node, 'cancel_booking', input);
  if (outcome === 'done') state.told = answer;
  if (outcome === 'refused' && code !== 'booking_final') state.said.push('partner refused');
  return outcome;
}

/** burst: the partner uses up its writes of this minute. */
export async function burst(state: SequenceState, node: Node): Promise<Outcome> {
  const { world } = state;
  const asked = {
    place_id: world.placeId,
    ...tableTime(world.clock.now(), 4 * HOUR_MS),
    party_size: 2,
    guest_name: 'Nobody Example',
    dry_run: true,
  };
  for (let nth = 0; nth < WRITES_PER_MINUTE; nth++) {
    const { code } = await call(state, node, 'request_table', asked);
    if (code === 'write_rate_limited') break;
  }
  return 'skipped';
}
