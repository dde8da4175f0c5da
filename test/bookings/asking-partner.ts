import assert from 'node:assert/strict';
import { callTool } from '../harness/clients/call-tool.ts';
import { until } from '../harness/service/jobs.ts';
import { addTestPartner, type TestPartner } from '../harness/people/partner.ts';
import type { TestService } from '../harness/service/service.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import type { SmtpReceiver } from '../messages/smtp-receiver.ts';

export const CONCIERGE_MCP = '/api/concierge/mcp';

export interface BookingTold {
  booking_id: string;
  status: string;
  booked: boolean;
  date: string;
  time: string;
  time_until: string | null;
  party_size: number;
  channel: string;
  answer_by: string | null;
  revision: number;
  reason: string | null;
  offer: { offer_id: string; date: string; time: string; party_size: number } | null;
  offers: { offer_id: string; time: string }[];
  confirmation: { ref: string | null; by: string } | null;
  held: { date: string; time: string } | null;
  link: { url: string } | null;
  timeline: { event: string; actor: string; channel: string | null; text: string }[];
}

interface VenueMade {
  name?: string;
  email?: string | null;
  phone?: string | null;
  country?: string;
  /** Spoken at the venue; English, so that the stories are read as the venue reads them. */
  languages?: string[];
  method?: 'request' | 'venue_system' | 'phone' | 'not_through';
  /** For how many minutes further requests for an evening are gathered. */
  gather?: number;
}

/** A venue with contacts that a map published, which takes requests. */
export async function addVenue(service: TestService, made: VenueMade = {}): Promise<string> {
  const { name = 'Warung Senja', email = null, phone = null, method = 'request' } = made;
  const { country = 'ID', languages = ['en'], gather = 15 } = made;
  const id = await addMadeUpPlace(service.database.pool, service.clock, { name });
  await service.database.pool`
    update place set email = ${email}, phone = ${phone}, booking_method = ${method},
      country = ${country}, languages = ${languages}, batch_minutes = ${gather},
      booking_url = ${method === 'venue_system' ? 'https://book.venue.example/' : null} where id = ${id}`;
  return id;
}

/** A partner whose bookings a person has switched on, calling the tools as any agent does. */
export class AskingPartner {
  readonly service: TestService;
  readonly partner: TestPartner;

  private constructor(service: TestService, partner: TestPartner) {
    this.service = service;
    this.partner = partner;
  }

  /** A partner on its first day, whose bookings nobody has switched on. */
  static async addNew(service: TestService): Promise<AskingPartner> {
    return new AskingPartner(service, await addTestPartner(service, { proven: false }));
  }

  static async add(service: TestService, webhookUrl?: string): Promise<AskingPartner> {
    const one = new AskingPartner(service, await addTestPartner(service, { plan: 'platform' }));
    const { id } = await addTestStaff(service, 'lead');
    await service.database.pool`
      update partner set bookings_enabled = true, bookings_reason = 'a test', bookings_at = ${service.clock.now()},
        bookings_by = ${id}
      where id = ${one.partner.partnerId}`;
    if (webhookUrl !== undefined) await one.call('set_webhook', { url: webhookUrl });
    return one;
  }

  call<Answer>(tool: string, input: Record<string, unknown>): Promise<Answer> {
    return callTool(this.service, CONCIERGE_MCP, tool, input, this.partner.headers);
  }

  async request(placeId: string, change: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.call<{ booking_id: string; state: string; booked: boolean }>('request_table', {
      place_id: placeId,
      date: '2026-11-20',
      time: '19:30',
      party_size: 4,
      guest_name: 'Guest Example',
      ...change,
    });
    assert.deepEqual([answer.state, answer.booked], ['requested', false]);
    return answer.booking_id;
  }

  async status(bookingId: string): Promise<BookingTold> {
    const answer = await this.call<{ bookings: BookingTold[] }>('booking_status', { booking_id: bookingId });
    const [booking] = answer.bookings;
    assert.ok(booking);
    return booking;
  }

  untilStatus(bookingId: string, status: string): Promise<BookingTold> {
    const isReached = async () => {
      const [booking] = await this.service.database.pool`
        select 1 from booking where id = ${bookingId} and status = ${status}`;
      return booking !== undefined;
    };
    // The partner's own reads are limited, and a slow machine would use them up.
    return until(`${bookingId} is ${status}`, isReached).then(() => this.status(bookingId));
  }
}

/** Waits until nothing is due for a booking but what comes later, so that time may pass. */
export function untilResting({ database }: TestService, bookingId: string): Promise<unknown> {
  return until(`${bookingId} rests`, async () => {
    const [job] = await database.pool<{ later: boolean }[]>`
      select coalesce(bool_and(locked_at is null and run_at > now() + interval '30 seconds'), false) as later
      from graphile_worker._private_jobs where payload->>'booking_id' = ${bookingId}`;
    return job?.later === true;
  });
}

/** The path of the tap page in the newest mail to a venue that holds one. */
export function linkIn(smtp: SmtpReceiver, to: string, nth = -1): Promise<string> {
  return until(`a link in a mail to ${to}`, () => {
    const mails = smtp.mails.filter((mail) => mail.to.includes(to));
    const text = readable(mails.at(nth)?.text ?? '');
    return /https:\/\/waypost\.example(\/v\/[\w-]+)/.exec(text)?.[1];
  });
}

/** A mail with its body as it was before it was encoded for the way; which encoding it has depends on the language. */
function readable(mail: string): string {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  return /^content-transfer-encoding: base64/im.test(head)
    ? Buffer.from(body, 'base64').toString()
    : mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}

/** The same from the outbox, where messages lie that nobody is set up to send. */
export function linkInOutbox(service: TestService, bookingId: string, channel = 'sms'): Promise<string> {
  return until(`a link in the outbox for ${bookingId}`, async () => {
    const [message] = await service.database.pool<{ body: string | null }[]>`
      select body from message where subject_id = ${bookingId} and channel = ${channel} and state = 'outbox'
      order by sequence desc limit 1`;
    return /(\/v\/[\w-]+)/.exec(message?.body ?? '')?.[1];
  });
}

/** The per-view nonce of a tap page. */
export async function nonceOf(service: TestService, link: string): Promise<string> {
  const text = await (await service.request(link, { headers: { accept: 'text/html' } })).text();
  return /name="nonce" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Answers a tap page as a browser without script does. */
export async function tap(
  service: TestService,
  link: string,
  fields: Record<string, string>,
  path = '',
): Promise<Response> {
  const nonce = await nonceOf(service, link);
  return service.request(link + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ nonce, ...fields }).toString(),
  });
}
