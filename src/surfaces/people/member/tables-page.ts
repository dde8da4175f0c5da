import { html, type Html } from '../../../core/text/html.ts';
import { listMemberTables, type MemberTable } from '../../../members/list-tables.ts';
import { STARS_MAX } from '../../../members/place-rating.ts';
import { finder } from '../frame/finder.ts';
import { definePage } from '../person/page.ts';
import { member } from '../person/people.ts';
import type { Pool } from '../../../core/postgres/db.ts';
import { findThumbnails, placeThumbnail, type Thumbnails } from '../traveller/place-picture.ts';
import { LIST_PATH, tablePath } from './own-table.ts';
import { ENDED, statusWords, tableWhen } from './table-card.ts';

/** The member's tables, those to come and those that are over. Each leads to its own page. */
export const memberTablesPage = definePage({
  path: LIST_PATH,
  follows: ({ person }) => [person.id],
  who: member,
  load: async ({ deps, person, now }) => {
    const tables = await listMemberTables(deps.pool, person.id, now);
    return { tables, photos: await findTablePictures(deps.pool, tables) };
  },
  view: (req, { tables, photos }) => {
    const upcoming = upcomingTables(tables);
    const over = tables.filter((table) => !upcoming.includes(table));
    return {
      title: 'Your tables',
      lead: 'Open a table to follow the venue’s answer, find the way, change it or cancel it.',
      body: html`<section class="flow" aria-labelledby="upcoming">
          <h2 id="upcoming">Upcoming</h2>
          ${
            upcoming.length === 0
              ? NO_TABLES
              : html`<ul class="own-cards">
                  ${upcoming.map((table) => memberTableCard(table, photos, req.now))}
                </ul>`
          }
        </section>
        ${
          over.length > 0 &&
          html`<section class="flow" aria-labelledby="past">
            <h2 id="past">Past and ended</h2>
            <ul class="own-rows">
              ${over.map((table) => tableRow(table, photos))}
            </ul>
          </section>`
        }`,
    };
  },
});

export const NO_TABLES = html`<div class="empty flow">
  <h3>No table is coming up</h3>
  <p>
    Find a place and ask for a table on its page. The venue’s answer appears here. A concierge can ask in your
    name too, once you have <a href="/member/link">given it a link code</a>.
  </p>
  ${finder('')}
</div>`;

/** Returns the tables that may still take place, the next one first. */
export function upcomingTables(tables: readonly MemberTable[]): readonly MemberTable[] {
  return tables.filter(({ past, status }) => !past && !ENDED.has(status)).toReversed();
}

/** Renders a coming table with its state. */
export function memberTableCard(table: MemberTable, photos: Thumbnails, now: Date): Html {
  return html`<li class="card own-card">
    ${tablePicture(table, photos)}
    <div class="flow">
      ${tableLink(table)} ${tableWhen(table)}
      <p class="hint">${statusWords(table, now)}</p>
      <p>
        <a class="button small ${table.offers.length === 0 && 'plain'}" href="${tablePath(table.bookingId)}">
          ${table.offers.length > 0 ? 'Answer the offer' : 'Open'}
          <span class="unseen">: ${table.placeName ?? 'the table'}</span>
        </a>
      </p>
    </div>
  </li>`;
}

function tableRow(table: MemberTable, photos: Thumbnails): Html {
  const { ratable, stars, bookingId, placeName } = table;
  return html`<li>
    ${tablePicture(table, photos)}
    <div>${tableLink(table)} ${tableWhen(table)}</div>
    ${
      ratable &&
      html`<p class="rated">
        ${
          stars === null
            ? html`<a class="touch" href="${tablePath(bookingId)}#rate">
                Rate it<span class="unseen">: ${placeName}</span>
              </a>`
            : html`<span class="unseen">You gave ${stars} of ${STARS_MAX} stars.</span>
                <span aria-hidden="true">${'★'.repeat(stars)}${'☆'.repeat(STARS_MAX - stars)}</span>`
        }
      </p>`
    }
  </li>`;
}

function tableLink({ bookingId, placeName }: MemberTable): Html {
  return html`<h3>
    <a class="touch" href="${tablePath(bookingId)}"
      ><bdi>${placeName ?? 'A place that is no longer listed'}</bdi></a
    >
  </h3>`;
}

/** The place of a table, for its picture. */
function picturedPlace({ placeId, category, vertical, cuisine }: MemberTable) {
  const kind = { category: category ?? 'other', vertical: vertical ?? 'other', cuisine: cuisine ?? [] };
  return { place_id: placeId ?? '', ...kind };
}

/** Finds the pictures of tables, in the order of their list. */
export function findTablePictures(db: Pool, tables: readonly MemberTable[]): Promise<Thumbnails> {
  return findThumbnails(db, tables.filter(({ placeId }) => placeId !== null).map(picturedPlace));
}

function tablePicture(table: MemberTable, photos: Thumbnails): Html {
  return placeThumbnail(picturedPlace(table), photos);
}
