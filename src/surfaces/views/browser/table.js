/** @import { Booking, Table, ViewRenderer } from './shapes.ts' */
import { BookingPanel, statusBanner } from './booking.js';
import { button, el, fact } from './elements.js';
import { ask, attributionOf, canCallTools, problem, render, wording } from './frame.js';

/** @type {unknown} The current result; a new one resets the view. */
let current;
/** @type {Booking[]} */
let list = [];
/** @type {BookingPanel | undefined} */
let panel;
/** @type {Node | null} */
let trouble = null;

/** @type {ViewRenderer} */
export const tableView = (answer, input) => {
  if (answer !== current) {
    current = answer;
    panel = undefined;
    list = /** @type {Booking[]} */ (answer['bookings'] ?? []);
    if ('timeline' in answer)
      panel = new BookingPanel(/** @type {Booking} */ (/** @type {unknown} */ (answer)));
    else if (list.length === 1 && list[0] !== undefined)
      panel = new BookingPanel({ ...list[0], .../** @type {{ attribution?: string }} */ (answer) });
    else if (typeof answer['booking_id'] === 'string' && canCallTools())
      void loadStatus(answer['booking_id']);
  }
  panel?.render();
  if (panel !== undefined) return [list.length > 1 ? back() : null, panel.element];
  return 'bookings' in answer
    ? tables(answer)
    : requested(answer, /** @type {Table} */ (/** @type {unknown} */ (input)));
};

/**
 * Shows a request by itself, before its status is known.
 * @param {Record<string, unknown>} answer @param {Table} table @returns {(Node | null)[]}
 */
function requested(answer, table) {
  const { words } = wording;
  const message = answer['message_to_venue'];
  const isTrial = answer['dry_run'] === true;
  return [
    el('h1', {}, words.table),
    isTrial
      ? el('p', { class: 'status', role: 'status' }, el('strong', {}, words.trial))
      : statusBanner('sent'),
    table.date ? el('p', { class: 'table-time' }, el('strong', {}, wording.table(table))) : null,
    typeof message === 'string' ? el('dl', {}, fact(words.venueReads, message)) : null,
    typeof answer['answer_by'] === 'string' && !isTrial
      ? el('p', {}, words.answerBy(wording.moment(answer['answer_by'])))
      : null,
    trouble,
    attributionOf(answer),
  ];
}

/** @param {Record<string, unknown>} answer @returns {(Node | null)[]} */
function tables(answer) {
  const { words } = wording;
  if (list.length === 0) return [el('p', {}, words.noTables), attributionOf(answer)];
  const rows = list.map((booking) =>
    el(
      'li',
      {},
      el('h2', {}, booking.place.name ?? words.table),
      el('p', {}, wording.table(booking)),
      el('p', { class: 'quiet' }, words.statuses[booking.status] ?? booking.status),
      el(
        'p',
        { class: 'actions' },
        button(words.details, () => {
          panel = new BookingPanel(booking);
          render();
        }),
      ),
    ),
  );
  return [el('h1', {}, words.tables), el('ol', { class: 'cards plain' }, ...rows), attributionOf(answer)];
}

function back() {
  return button(`← ${wording.words.back}`, () => {
    panel = undefined;
    render();
  });
}

/** @param {string} bookingId */
async function loadStatus(bookingId) {
  try {
    const response = await ask('booking_status', { booking_id: bookingId });
    const [booking] = /** @type {Booking[]} */ (response['bookings']);
    if (booking !== undefined)
      panel = new BookingPanel({ ...booking, .../** @type {{ attribution?: string }} */ (response) });
  } catch (error) {
    trouble = problem(error);
  }
  render();
}
