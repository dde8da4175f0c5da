import type { FastifyReply } from 'fastify';
import { formatCount } from '../../../core/text/format-count.ts';
import type { MemberTable } from '../../../members/list-tables.ts';
import { AppError } from '../../../core/errors.ts';
import { definePage } from '../person/page.ts';
import { member } from '../person/people.ts';
import { findOwnTable, tablePath } from './own-table.ts';

/** True for a table that a calendar may contain: a promised one that is still to come. */
export function hasCalendarEntry({ status, past }: MemberTable): boolean {
  return status === 'confirmed' && !past;
}

/** The entry for the calendar of the member's own device, as an iCalendar file (RFC 5545). */
export const tableCalendarPage = definePage({
  path: '/member/tables/:bookingId/table.ics',
  who: member,
  load: (req) => findOwnTable(req),
  view({ reply, deps }, found) {
    if (!hasCalendarEntry(found.table))
      throw new AppError(
        'booking_not_found',
        'Only a confirmed table that is to come has a calendar entry.',
        { hint: 'Open the table to see its state.' },
      );
    return { send: () => sendCalendar(reply, calendarOf(found, deps.config)) };
  },
});

function sendCalendar(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-type', 'text/calendar; charset=utf-8')
    .header('content-disposition', 'attachment; filename="table.ics"')
    .send(text);
}

type FoundTable = Awaited<ReturnType<typeof findOwnTable>>;

/** No venue says how long a meal takes, so the entry has a beginning and no end. */
export function calendarOf(
  { table, address }: FoundTable,
  { serviceName, baseUrl }: { serviceName: string; baseUrl: string },
): string {
  const { bookingId, version, updatedAt, tableAt, partySize, placeName, point } = table;
  const people = formatCount(partySize, 'person', 'people');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${calendarText(serviceName)}//Table//EN`,
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${bookingId}@${new URL(baseUrl).hostname}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${instant(updatedAt)}`,
    `DTSTART:${instant(tableAt)}`,
    `SUMMARY:${calendarText(`Table for ${people} at ${placeName ?? 'a place'}`)}`,
    ...(address === '' ? [] : [`LOCATION:${calendarText(address)}`]),
    ...(point === null ? [] : [`GEO:${point.lat};${point.lng}`]),
    `URL:${baseUrl}${tablePath(bookingId)}`,
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function instant(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Escapes a text, so that a name cannot begin another property. */
function calendarText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n|\u2028|\u2029/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
}

const LINE_BYTES = 75;

/** Folds a line after at most 75 bytes, between characters; the next line begins with a blank. */
function folded(line: string): string {
  let bytes = 0;
  let text = '';
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
