import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { listStandingTables, withdrawTable } from '../../../../bookings/answering/standing-tables.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import type { Deps } from '../../../../core/context.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { form, sendFrame } from '../../frame/frame.ts';
import { conflict, type Action } from '../../person/action.ts';
import { doneNotice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';

const PATH = '/venue/tables';
const SHOWN_MAX = 200;

const DONE = { cancelled: 'The table is cancelled. The guest is told.' };

/** What the venue has promised to guests who asked through us, and the way to say that it cannot keep it. */
export function addVenueTables(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: PATH,
    who: venue,
    show: (req) => sendTablesPage(req, { notice: doneNotice(req.query, DONE) }),
  });
  addActions(scope, deps, cancel);
}

const cancelFields = z.object({ booking: z.string().max(40), revision: z.coerce.number().int() });

const cancel: Action<Venue, typeof cancelFields> = {
  name: 'cancel_table',
  path: PATH,
  who: venue,
  form: cancelFields,
  async run(act, { booking: bookingId, revision }) {
    const said = {
      bookingId,
      revision,
      placeId: act.person.place.id,
      actor: 'venue',
      channel: null,
    } as const;
    if ((await withdrawTable(act.db, act, said)) !== 'cancelled')
      conflict('This table is no longer as it was shown. What stands is shown now; nothing was changed.');
    return { to: `${PATH}?done=cancelled` };
  },
  page: sendTablesPage,
};

async function sendTablesPage(req: PageRequest<Venue>, { notice, status }: PageState): Promise<FastifyReply> {
  const { place, destination } = req.person;
  const tables = await listStandingTables(
    req.deps.pool,
    { placeId: place.id },
    { now: req.now, limit: SHOWN_MAX },
  );
  return sendFrame(req, 'venue', {
    title: 'Coming tables',
    lead: `What you have promised to guests who asked through us, in the local time of ${destination.name}.`,
    current: '/venue',
    notice,
    status,
    body: html`${
        tables.length === 0
          ? NONE
          : html`<ul class="columns">
              ${tables.map(({ booking }) => tableCard(req, booking))}
            </ul>`
      }
      <p><a href="/venue">Back to your listing</a></p>`,
  });
}

const NONE = html`<p class="empty">
  No promised table has yet to come. Here you see each one that you said yes to, until its time.
</p>`;

function tableCard(req: PageRequest<Venue>, booking: Booking): Html {
  const { guestName, notes, held } = booking;
  const stands = held ?? booking;
  return html`<li class="card flow">
    <h2>${dayWords(stands.date)}, ${stands.time}</h2>
    ${definitionList('record', [
      ['Guests', stands.partySize],
      ['Name', html`<bdi>${guestName}</bdi>`],
      ['Note', notes && html`<bdi>${notes}</bdi>`],
      ['Asked instead', held && `${dayWords(booking.date)}, ${booking.time}, for ${booking.partySize}`],
    ])}
    ${cancelForm(req, booking)}
  </li>`;
}

function cancelForm(req: PageRequest, { id, revision }: Booking): Html {
  const fields = html`<p>The guest is told at once that there is no table. This cannot be undone.</p>
    <input type="hidden" name="booking" value="${id}" />
    <input type="hidden" name="revision" value="${revision}" />
    <button class="button danger" type="submit">Cancel the table</button>`;
  return html`<details class="quiet">
    <summary>We cannot keep this table</summary>
    ${form(req, PATH, fields)}
  </details>`;
}
