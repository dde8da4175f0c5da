import assert from 'node:assert/strict';
import type { BookingEvent, BookingEventBody } from '../../src/webhooks/booking-event.ts';
import { queueBookingEvent } from '../../src/webhooks/queue-booking-event.ts';
import type { Received, Receiver } from '../callbacks/receiver.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { until } from '../harness/service/jobs.ts';
import { addTestPartner, type TestPartner } from '../harness/people/partner.ts';
import type { TestService } from '../harness/service/service.ts';

export const CONCIERGE_MCP = '/api/concierge/mcp';

/** For tests that look again and again how deliveries go, while the clock stands still. */
export const LOOKS_OFTEN = { BOOKING_READS_PER_MINUTE: '100000' };

export interface WebhookSet {
  url: string | null;
  secret: string | null;
  secret_shown_once: boolean;
  events: string[];
  created_at: string | null;
  public_keys_url: string;
  test_delivery_id: string | null;
}

export interface WebhookTold {
  url: string | null;
  active: boolean;
  disabled_reason: string | null;
  secret_prefix: string | null;
  deliveries: {
    delivery_id: string;
    booking_id: string | null;
    event: string;
    sequence: number;
    attempts: number;
    http_status: number | null;
    state: 'pending' | 'delivered' | 'given_up';
    first_attempt_at: string | null;
    last_attempt_at: string | null;
    next_attempt_at: string | null;
    error: string | null;
  }[];
}

/** A partner whose webhook is registered, with everything that tests do with it. */
export class WebhookPartner {
  readonly service: TestService;
  readonly partner: TestPartner;
  secret = '';

  private constructor(service: TestService, partner: TestPartner) {
    this.service = service;
    this.partner = partner;
  }

  /** A partner that is known already, at some node. */
  static of(service: TestService, partner: TestPartner): WebhookPartner {
    return new WebhookPartner(service, partner);
  }

  static async register(service: TestService, url: string | null): Promise<WebhookPartner> {
    const one = new WebhookPartner(service, await addTestPartner(service));
    if (url !== null) one.secret = (await one.set({ url })).secret ?? '';
    return one;
  }

  set(input: Record<string, unknown>): Promise<WebhookSet> {
    return callTool(this.service, CONCIERGE_MCP, 'set_webhook', input, this.partner.headers);
  }

  status(): Promise<WebhookTold> {
    return callTool(this.service, CONCIERGE_MCP, 'webhook_status', {}, this.partner.headers);
  }

  newBooking(): string {
    return this.service.app.deps.newId('req').replace('req_', 'bkg_');
  }

  /** A move of a booking, as the booking's own transaction tells it. */
  async move(bookingId: string, sequence: number, status: BookingEvent = 'asking'): Promise<void> {
    const { pool, newId, clock } = this.service.app.deps;
    const body: BookingEventBody = {
      booking_id: bookingId,
      status,
      previous_status: sequence === 1 ? null : 'sent',
      booked: status === 'confirmed',
      place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
      date: '2026-11-20',
      time: '19:30',
      time_until: null,
      party_size: 4,
      revision: 1,
      actor: 'venue',
      reason: null,
      offer: null,
      confirmation: status === 'confirmed' ? { ref: null, at: clock.now().toISOString() } : null,
      link: null,
      choice: null,
      waiting: null,
      answer_by: null,
      timeline_head: { sequence, hash: 'ab'.repeat(32) },
    };
    const { partnerId } = this.partner;
    const move = { partnerId, bookingId, sequence, event: status, body };
    await pool.begin((sql) => queueBookingEvent(sql, { newId, now: clock.now() }, move));
  }

  /** The state of a delivery once so many attempts have ended. */
  untilAttempted(bookingId: string, attempts: number, sequence = 1): Promise<WebhookTold['deliveries'][0]> {
    return until(`attempt ${attempts} of ${bookingId}/${sequence} has ended`, async () => {
      const [row] = await this.service.database.pool`
        select 1 from webhook_delivery
        where booking_id = ${bookingId} and sequence = ${sequence} and attempts = ${attempts} and leased_until is null`;
      if (row === undefined) return undefined;
      return (await this.status()).deliveries.find(
        (one) => one.booking_id === bookingId && one.sequence === sequence,
      );
    });
  }
}

export function receivedAt(receiver: Receiver, path: string): Received[] {
  return receiver.received.filter((one) => one.path === path);
}

export function header({ headers }: Received, name: string): string {
  const value = headers[name];
  assert.ok(typeof value === 'string', name);
  return value;
}
