import { listEntries } from '../../../src/bookings/timeline.ts';
import { STATUSES } from '../../../src/bookings/booking.ts';
import { chainFault } from '../../../src/bookings/maintenance/timeline-fault.ts';
import type { World } from '../world.ts';
import { messageId } from './accounts.ts';
import { byId, finding, repeated, type Finding } from './finding.ts';

interface BookingRow {
  id: string;
  guest: string;
  status: string;
  by: string | null;
  ref: string | null;
  /** Whether somebody still works on it, or the desk has it on its list. */
  open: boolean;
}

/** Judges bookings with their timelines, messages to venues, and webhooks to the partner. */
export async function judgeBookings(world: World): Promise<Finding[]> {
  const rows = await world.pool<BookingRow[]>`
    select id, guest_name as guest, status, confirmed_by as by, confirmed_ref as ref,
      exists (select from venue_ask a where a.booking_id = booking.id
              and a.state in ('queued', 'sending', 'posted', 'waiting', 'pending')) as open
    from booking`;
  return [
    await judgeRecord(world, rows),
    judgeVenueSystem(world, rows),
    judgeMails(world),
    await judgeWebhooks(world),
  ];
}

async function judgeRecord(
  { pool, acknowledged: { bookings } }: World,
  rows: readonly BookingRow[],
): Promise<Finding> {
  const stored = byId(rows, ({ id }) => id);
  const lost = [...bookings].filter(([id, { guest, cancelled }]) => {
    const row = stored.get(id);
    return row?.guest !== guest || (cancelled && row.status !== 'cancelled');
  });
  const entries = await listEntries(
    pool,
    rows.map(({ id }) => id),
  );
  const timelines = Map.groupBy(entries, ({ bookingId }) => bookingId);
  const broken = rows.flatMap(({ id, status }) => {
    const own = timelines.get(id) ?? [];
    const fault = chainFault(own);
    if (fault !== undefined) return [`${id}: ${JSON.stringify(fault)}`];
    return own.at(-1)?.to === status
      ? []
      : [`${id} is ${status}, its timeline says ${own.at(-1)?.to ?? 'nothing'}`];
  });
  return finding('bookings and cancellations', bookings.size, {
    lost: [...lost.map(([id]) => `${id} is ${stored.get(id)?.status ?? 'not there'}`), ...broken],
    doubled: repeated(rows.map(({ guest }) => guest)),
  });
}

/** The venue's book and ours agree, or somebody is still at it. */
function judgeVenueSystem({ venue }: World, rows: readonly BookingRow[]): Finding {
  const created = venue.calls.filter(({ method }) => method === 'CreateBooking').map(({ body }) => body);
  const bookingOf = new Map(
    created.map((body) => [
      (body['user_information'] as { user_id: string }).user_id,
      String(body['idempotency_token']).split(':')[0] ?? '',
    ]),
  );
  const live = venue.live();
  const held = Map.groupBy(
    live,
    ({ user_information: user }) => bookingOf.get(String(user['user_id'])) ?? '',
  );
  const doubled = rows.flatMap(({ id, status, by, open }) => {
    const tables = held.get(id) ?? [];
    if (open || tables.length <= mayHold(status, by)) return [];
    return [
      `${id} is ${status}, and the venue holds ${tables.map(({ booking_id }) => booking_id).join(', ')}`,
    ];
  });
  const lost = rows.flatMap(({ id, status, ref, by, open }) => {
    const holds = live.some(({ booking_id }) => booking_id === ref);
    return status === 'confirmed' && by === 'venue_system' && !holds && !open
      ? [`${id} is confirmed as ${ref ?? '-'}, which the venue does not hold`]
      : [];
  });
  const differing = [...Map.groupBy(created, (body) => String(body['idempotency_token']))]
    .filter(([, same]) => new Set(same.map((body) => JSON.stringify(body))).size > 1)
    .map(([token]) => `${token} asked for different tables`);
  return finding('tables in venues’ systems', live.length, { lost, doubled: [...doubled, ...differing] });
}

/** An offer of the system, and a table that is to be changed, are held meanwhile; people may confirm beside the system. */
function mayHold(status: string, by: string | null): number {
  if (status === 'confirmed') return by === 'venue_system' ? 1 : Infinity;
  return status === 'asking' || status === 'offered' ? 1 : 0;
}

/** A message about a table is never sent twice, not even under the same id. */
function judgeMails({ smtp }: World): Finding {
  const mails = smtp.mails.filter(({ to }) => to.some((one) => one.endsWith('@venue.example')));
  return finding('mails to venues', mails.length, {
    doubled: repeated(mails.map(({ text }) => messageId(text))),
  });
}

interface Told {
  id: string;
  sequence: number;
  data: { booking_id: string };
}

/** Every move is delivered under one id; first deliveries are in the order of the moves. */
async function judgeWebhooks({ pool, receiver }: World): Promise<Finding> {
  const told = receiver.received
    .filter(({ path }) => path === '/moves')
    .map(({ body }) => JSON.parse(body) as Told)
    .filter(({ data }) => typeof data.booking_id === 'string');
  const ids = Map.groupBy(told, ({ data, sequence }) => `${data.booking_id}/${sequence}`);
  const doubled = [...ids].filter(([, same]) => new Set(same.map(({ id }) => id)).size > 1);
  const moves = await pool<{ move: string; booking: string; sequence: number }[]>`
    select booking_id || '/' || sequence as move, booking_id as booking, sequence from booking_entry
    where event = any(${[...STATUSES]}) order by booking_id, sequence`;
  const rows = await pool<{ state: string; id: string }[]>`
    select id, state from webhook_delivery where state = 'given_up'`;
  return finding('webhooks', moves.length, {
    lost: [
      ...moves.filter(({ move }) => !ids.has(move)).map(({ move }) => `${move} was not told`),
      ...rows.map(({ id }) => `${id} was given up`),
    ],
    doubled: doubled.map(([move]) => `${move} was told under several ids`),
  });
}
