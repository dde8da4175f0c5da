import type { Pool } from '../../../src/core/postgres/db.ts';

/** A table as rows and messages name it. */
export interface NamedTable {
  date: string;
  time: string;
  /** The end of a window; absent or null for one time. */
  time_until?: string | null;
  party_size: number;
}

export function isSame(a: NamedTable, b: NamedTable): boolean {
  return a.date === b.date && a.time === b.time && a.party_size === b.party_size;
}

export interface Move extends NamedTable {
  sequence: number;
  event: string;
  status: string;
  reason: string | null;
  revision: number;
  offer: { offer_id: string } | null;
  confirmation: { ref: string | null } | null;
  waiting: { until: string } | null;
}

export interface ChoiceRecord {
  turns: number;
  place_ids: string[];
  answer_within_minutes: number;
  ended_at: string | null;
  refused: Record<string, string>;
  bookings: {
    id: string;
    position: number;
    status: string;
    last_sequence: number;
    held: unknown;
    reason: string | null;
    entries: { sequence: number; event: string; at: string; from_status: string | null; to_status: string }[];
    /** at: when it began; a request may wait on the desk's list before the venue hears of it. */
    asks: { step: string; channel: string; state: string; at: string }[];
    offers: { id: string; state: string }[];
    deliveries: { sequence: number; event: string; position: number | null }[];
  }[];
}

/** All that is on record of one booking. */
export interface BookingRecord {
  booking: NamedTable & {
    id: string;
    /** The end of the window, while no time is named. */
    time_until: string | null;
    status: string;
    revision: number;
    last_sequence: number;
    answer_by: string | null;
    table_at: string;
    created_at: string;
    confirmed_by: string | null;
    confirmed_ref: string | null;
    accepted_offer: string | null;
    reason: string | null;
    reverted: boolean;
    released: NamedTable[] | null;
    held: (NamedTable & { by: string; ref: string | null }) | null;
    frozen_at: string | null;
    wait_until: string | null;
    waiting: boolean;
  };
  entries: {
    sequence: number;
    event: string;
    at: string;
    from_status: string | null;
    to_status: string;
    actor: string;
    channel: string | null;
    revision: number;
  }[];
  asks: {
    id: number;
    revision: number;
    step: string;
    channel: string;
    state: string;
    message_id: string | null;
    ref: string | null;
  }[];
  offers: (NamedTable & { id: string; state: string; made_by: string; expires_at: string })[];
  undo: unknown[];
  messages: { id: string; channel: string; purpose: string; state: string; body: string | null }[];
  deliveries: { sequence: number; event: string; data: Move }[];
  /** Webhooks about coded messages. */
  notices: { sequence: number }[];
  coded: { sequence: number; sender: string; code: string; minutes: number | null; seen_at: string | null }[];
  /** The choice of several venues that the booking is the first of. */
  choice: ChoiceRecord | null;
  jobs: unknown[];
  place: { booking_method: string; languages: string[]; country: string };
}

/** The one booking that there is, or the first of a choice; undefined before it was asked for. */
export async function readRecord(pool: Pool): Promise<BookingRecord | undefined> {
  const [row] = await pool<{ record: BookingRecord | null }[]>`
    select (select json_build_object(
      'booking', to_jsonb(b),
      'entries', (select coalesce(json_agg(to_jsonb(e) - 'hash' order by e.sequence), '[]') from booking_entry e
                  where e.booking_id = b.id),
      'asks', (select coalesce(json_agg(to_jsonb(a) order by a.id), '[]') from venue_ask a where a.booking_id = b.id),
      'offers', (select coalesce(json_agg(to_jsonb(o) order by o.id), '[]') from booking_offer o where o.booking_id = b.id),
      'undo', (select coalesce(json_agg(to_jsonb(u)), '[]') from venue_undo u where u.booking_id = b.id),
      'messages', (select coalesce(json_agg(to_jsonb(m) order by m.sequence), '[]') from message m
                   where m.subject_id = b.id),
      'deliveries', (select coalesce(json_agg(json_build_object('sequence', d.sequence, 'event', d.event, 'data', d.data)
                     order by d.number), '[]') from webhook_delivery d where d.booking_id = b.id and d.event <> 'message'),
      'notices', (select coalesce(json_agg(json_build_object('sequence', d.sequence) order by d.number), '[]')
                  from webhook_delivery d where d.booking_id = b.id and d.event = 'message'),
      'coded', (select coalesce(json_agg(to_jsonb(c) order by c.sequence), '[]') from coded_message c
                where c.booking_id = b.id),
      'choice', (select to_jsonb(c) || jsonb_build_object('bookings', (
          select jsonb_agg(jsonb_build_object('id', o.id, 'position', o.choice_position, 'status', o.status,
            'last_sequence', o.last_sequence, 'held', o.held, 'reason', o.reason,
            'entries', (select jsonb_agg(to_jsonb(e) - 'hash' order by e.sequence) from booking_entry e where e.booking_id = o.id),
            'asks', (select coalesce(jsonb_agg(jsonb_build_object('step', a.step, 'channel', a.channel, 'state', a.state,
                     'at', a.claimed_at) order by a.id), '[]') from venue_ask a where a.booking_id = o.id),
            'offers', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'state', f.state) order by f.id), '[]')
                       from booking_offer f where f.booking_id = o.id),
            'deliveries', (select coalesce(jsonb_agg(jsonb_build_object('sequence', d.sequence, 'event', d.event,
                           'position', d.data->'choice'->'position') order by d.number), '[]')
                           from webhook_delivery d where d.booking_id = o.id and d.event <> 'message'))
            order by o.choice_position) from booking o where o.choice_id = c.id))
        from booking_choice c where c.id = b.choice_id),
      'jobs', (select coalesce(json_agg(json_build_object('id', j.id, 'key', j.key, 'run_at', j.run_at) order by j.id), '[]')
               from graphile_worker._private_jobs j),
      'place', (select json_build_object('booking_method', p.booking_method, 'languages', p.languages,
                'country', p.country) from place p where p.id = b.place_id))
      from booking b order by b.choice_position nulls first limit 1) as record`;
  return row?.record ?? undefined;
}
