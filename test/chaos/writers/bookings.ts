import { DAY_MS } from '../../../src/core/time.ts';
import { METHODS, MISHAPS } from '../../bookings/model/fickle-venue.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

const WEEK_MS = 7 * DAY_MS;
let serial = 0;

/** Asks for a table at a venue that is asked by mail, or at one that has a system. */
export async function askForTable(world: World, random: Random): Promise<void> {
  const { client, partnerKey, places, acknowledged } = world;
  const guest = `Guest ${letters(++serial)}`;
  const told = await client.tool(partnerKey, 'request_table', {
    place_id: random.pick(random.chance(0.6) ? places.system : places.mail),
    date: new Date(Date.now() + WEEK_MS).toISOString().slice(0, 10),
    time: '19:30',
    party_size: random.between(1, 8),
    guest_name: guest,
    idempotency_key: `request-${guest}`,
  });
  const bookingId = told?.['booking_id'];
  if (typeof bookingId !== 'string') return;
  acknowledged.bookings.set(bookingId, { guest, cancelled: false });
}

/** Changes or cancels one of the latest bookings. */
export async function changeBooking(world: World, random: Random): Promise<void> {
  const { client, partnerKey, acknowledged } = world;
  const [id, booking] = random.pick([...acknowledged.bookings].slice(-20)) ?? [];
  if (id === undefined || booking === undefined || booking.cancelled) return;
  if (random.chance(0.5)) {
    await client.tool(partnerKey, 'modify_booking', {
      booking_id: id,
      time: random.chance(0.5) ? '20:00' : '20:30',
      idempotency_key: `change-${++serial}`,
    });
    return;
  }
  const told = await client.tool(partnerKey, 'cancel_booking', { booking_id: id });
  if (told?.['status'] === 'cancelled') booking.cancelled = true;
}

const answered = new Set<string>();

/** A venue opens the link in its mail and says yes, no or another time. */
export async function answerMail({ client, smtp }: World, random: Random): Promise<void> {
  const links = smtp.mails.map(({ text }) => /\/v\/[\w-]+/.exec(text.replaceAll('=\r\n', ''))?.[0]);
  const link = links.find((one) => one !== undefined && !answered.has(one));
  if (link === undefined) return;
  answered.add(link);
  const answer = random.pick<Record<string, string> | undefined>([
    { answer: 'yes' },
    { answer: 'no' },
    { answer: 'offer', offer_time: '21:00' },
    undefined,
  ]);
  if (answer === undefined) return;
  const page = (await client.repeat(link, { headers: { accept: 'text/html' } })).text;
  const nonce = /name="nonce" value="([^"]+)"/.exec(page)?.[1] ?? '';
  await client.send(link, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ nonce, ...answer }).toString(),
  });
}

/** The venue's system does one of the things that real ones do, or somebody there decides. */
export function spoilVenue({ venue }: World, random: Random): void {
  const method = random.pick(METHODS) ?? 'CreateBooking';
  const mishap = random.pick(MISHAPS) ?? 'lost';
  venue.spoil(method, mishap);
  if (random.chance(0.3)) venue.catchUp();
  venue.free = random.chance(0.8) ? 'all' : (random.pick(['none', 'nearby', 'broken'] as const) ?? 'all');
  venue.decides = random.chance(0.8) ? 'CONFIRMED' : 'PENDING_MERCHANT_CONFIRMATION';
  if (random.chance(0.3)) venue.decide(random.chance(0.8) ? 'CONFIRMED' : 'DECLINED_BY_MERCHANT');
}

/** A number in letters: names with long numbers are refused. */
function letters(value: number): string {
  return Array.from(String(value), (digit) => 'abcdefghij'[Number(digit)] ?? '').join('');
}
