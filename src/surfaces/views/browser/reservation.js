/** @import { Booking, Restaurant, ViewRenderer } from './shapes.ts' */
import { BookingPanel, statusBanner } from './booking.js';
import { button, el, fact, field, formOf } from './elements.js';
import { ask, attributionOf, informModel, newKey, problem, render, wayTo, wording } from './frame.js';

const DAY_MS = 86_400_000;

/** @type {BookingPanel | undefined} */
let panel;
/** @type {Node | null} */
let trouble = null;
/** @type {Record<string, string> | undefined} Values typed into the form, which survive a change of language. */
let typed;
/** @type {string | undefined} Id of the request that was sent. Its status is fetched after that, which may fail. */
let sent;
let messageToVenue = '';
/** Idempotency key for the current values: a retry is the same request; changed values are another one. */
let key = { of: '', name: '' };

/** @type {ViewRenderer} */
export const reservationView = (answer, input) => {
  const { words } = wording;
  const restaurant = /** @type {Restaurant} */ ({ ...input, ...answer });
  const title = el('h1', {}, restaurant.name ?? words.askTitle);
  const message =
    messageToVenue === ''
      ? null
      : el('section', {}, el('h2', {}, words.venueReads), el('blockquote', {}, messageToVenue));
  if (panel !== undefined) {
    panel.render();
    return [panel.element, message];
  }
  if (sent !== undefined)
    return [
      title,
      statusBanner('sent'),
      trouble,
      message,
      button(words.checkAgain, loadStatus),
      attributionOf(answer),
    ];
  return [
    el('header', {}, title, restaurant.address ? el('p', { class: 'quiet' }, restaurant.address) : null),
    el('p', { class: 'status', role: 'status' }, el('strong', {}, words.notBooked)),
    restaurant.open === false ? el('p', { class: 'problem' }, words.closedThen) : null,
    trouble,
    ...(canAsk(restaurant) ? [requestForm(restaurant, input)] : otherContacts(restaurant)),
    attributionOf(restaurant),
  ];
};

/** True when the venue can be asked, possibly for another time. @param {Restaurant} restaurant */
function canAsk({ can_request: can, refusal }) {
  return can !== false || refusal === 'closed_at_that_time' || refusal === 'venue_daily_cap';
}

/** Other contacts, where we cannot ask for a table. @param {Restaurant} restaurant @returns {(Node | null)[]} */
function otherContacts({ link, phone }) {
  const { words } = wording;
  const page = wayTo(words.bookingPage, link?.url, 'main');
  if (page !== null) return [page];
  return [
    el('p', { class: 'problem' }, words.cannotAsk),
    phone ? el('dl', {}, fact(words.phone, el('span', { class: 'number' }, phone))) : null,
  ];
}

/** @param {Restaurant} restaurant @param {Record<string, unknown>} input */
function requestForm(restaurant, input) {
  const { words } = wording;
  const place = restaurant.place_id ?? restaurant.restaurant_id;
  typed ??= { ...defaultValues(restaurant), ...textsOf(input) };
  const fields = [
    field(words.date, { name: 'date', type: 'date', required: '', min: defaultValues(restaurant).today }),
    field(words.time, { name: 'time', type: 'time', required: '' }),
    field(words.guests, { name: 'party_size', type: 'number', min: '1', max: '30', required: '' }),
    field(words.name, { name: 'guest_name', required: '', maxlength: '80', autocomplete: 'name' }),
    field(words.note, { name: 'notes', maxlength: '280' }),
  ];
  for (const { input: one } of fields) one.value = typed[one.name] ?? '';
  const keep = () => (typed = Object.fromEntries(fields.map(({ input: one }) => [one.name, one.value])));
  const form = formOf(
    fields,
    { label: words.askVenue, send: () => (place === undefined ? undefined : request(place, keep())) },
    [
      el('p', { class: 'quiet' }, words.contactRule),
      restaurant.timezone === undefined
        ? null
        : el('p', { class: 'quiet' }, words.localTime(restaurant.timezone)),
    ],
  );
  form.addEventListener('input', keep);
  return form;
}

/** Default values: tomorrow evening for two, in the time zone of the place. @param {Restaurant} restaurant */
function defaultValues({ timezone: timeZone }) {
  const day = (/** @type {number} */ ms) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
      new Date(ms),
    );
  return { today: day(Date.now()), date: day(Date.now() + DAY_MS), time: '19:30', party_size: '2' };
}

/** Values already given in the conversation. @param {Record<string, unknown>} input */
function textsOf(input) {
  const names = ['date', 'time', 'party_size', 'guest_name', 'notes'].filter((name) =>
    ['string', 'number'].includes(typeof input[name]),
  );
  return Object.fromEntries(names.map((name) => [name, String(input[name])]));
}

/** @param {string} place @param {Record<string, string>} values */
async function request(place, values) {
  const of = JSON.stringify(values);
  if (key.of !== of) key = { of, name: newKey() };
  try {
    const response = await ask('request_table', {
      place_id: place,
      date: values['date'],
      time: values['time'],
      party_size: Number(values['party_size']),
      guest_name: values['guest_name'],
      ...(values['notes'] ? { notes: values['notes'] } : {}),
      idempotency_key: key.name,
    });
    const { message_to_venue: message, booking_id: id } = /** @type {Record<string, string>} */ (response);
    messageToVenue = message ?? '';
    sent = id;
    await informModel(`The person asked for a table in the view: ${id ?? ''}, requested; booked: false.`);
    await loadStatus();
  } catch (error) {
    trouble = problem(error);
    render();
  }
}

async function loadStatus() {
  try {
    const status = await ask('booking_status', { booking_id: sent });
    const [booking] = /** @type {Booking[]} */ (status['bookings']);
    if (booking !== undefined)
      panel = new BookingPanel({ ...booking, .../** @type {{ attribution?: string }} */ (status) });
    trouble = null;
  } catch (error) {
    trouble = problem(error);
  }
  render();
}
