/** @import { Booking, Restaurant } from './shapes.ts' */
import { BookingPanel, statusBanner } from './booking.js';
import { button, el, fact, field, formOf } from './elements.js';
import { ask, attributionOf, host, newKey, problem, render, startView, wayTo, wording } from './frame.js';

const DAY_MS = 86_400_000;

/** @type {BookingPanel | undefined} */
let panel;
/** @type {Node | null} */
let trouble = null;
/** @type {Record<string, string> | undefined} What was typed, which outlives a change of language. */
let typed;
/** @type {string | undefined} The request that went out. What became of it is looked up after that, and may fail. */
let sent;
let messageToVenue = '';
/** Asking the same again is one request; whoever changes something asks for something else. */
let key = { of: '', name: '' };

void startView((answer, input) => {
  const { words } = wording;
  const restaurant = /** @type {Restaurant} */ ({ ...input, ...answer });
  const title = el('h1', {}, restaurant.name ?? words.askTitle);
  const told =
    messageToVenue === ''
      ? null
      : el('section', {}, el('h2', {}, words.venueReads), el('blockquote', {}, messageToVenue));
  if (panel !== undefined) {
    panel.render();
    return [panel.element, told];
  }
  if (sent !== undefined)
    return [
      title,
      statusBanner('sent'),
      trouble,
      told,
      button(words.checkAgain, look),
      attributionOf(answer),
    ];
  return [
    el('header', {}, title, restaurant.address ? el('p', { class: 'quiet' }, restaurant.address) : null),
    el('p', { class: 'status', role: 'status' }, el('strong', {}, words.notBooked)),
    restaurant.open === false ? el('p', { class: 'problem' }, words.closedThen) : null,
    trouble,
    ...(canAsk(restaurant) ? [askingForm(restaurant, input)] : otherWays(restaurant)),
    attributionOf(restaurant),
  ];
});

/** Another time may do where only the time is wrong. @param {Restaurant} restaurant */
function canAsk({ can_request: can, refusal }) {
  return can !== false || refusal === 'closed_at_that_time' || refusal === 'venue_daily_cap';
}

/** Where a table is had that we cannot ask for. @param {Restaurant} restaurant @returns {(Node | null)[]} */
function otherWays({ link, phone }) {
  const { words } = wording;
  const page = wayTo(words.bookingPage, link?.url, 'main');
  if (page !== null) return [page];
  return [
    el('p', { class: 'problem' }, words.cannotAsk),
    phone ? el('dl', {}, fact(words.phone, el('span', { class: 'number' }, phone))) : null,
  ];
}

/** @param {Restaurant} restaurant @param {Record<string, unknown>} input */
function askingForm(restaurant, input) {
  const { words } = wording;
  const place = restaurant.place_id ?? restaurant.restaurant_id;
  typed ??= { ...startOf(restaurant), ...textsOf(input) };
  const fields = [
    field(words.date, { name: 'date', type: 'date', required: '', min: startOf(restaurant).today }),
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

/** Tomorrow evening for two, on the calendar of the place. @param {Restaurant} restaurant */
function startOf({ timezone: timeZone }) {
  const day = (/** @type {number} */ ms) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
      new Date(ms),
    );
  return { today: day(Date.now()), date: day(Date.now() + DAY_MS), time: '19:30', party_size: '2' };
}

/** What the conversation said already. @param {Record<string, unknown>} input */
function textsOf(input) {
  const known = ['date', 'time', 'party_size', 'guest_name', 'notes'].filter((name) =>
    ['string', 'number'].includes(typeof input[name]),
  );
  return Object.fromEntries(known.map((name) => [name, String(input[name])]));
}

/** @param {string} place @param {Record<string, string>} given */
async function request(place, given) {
  const of = JSON.stringify(given);
  if (key.of !== of) key = { of, name: newKey() };
  try {
    const told = await ask('request_table', {
      place_id: place,
      date: given['date'],
      time: given['time'],
      party_size: Number(given['party_size']),
      guest_name: given['guest_name'],
      ...(given['notes'] ? { notes: given['notes'] } : {}),
      idempotency_key: key.name,
    });
    const { message_to_venue: message, booking_id: id } = /** @type {Record<string, string>} */ (told);
    messageToVenue = message ?? '';
    sent = id;
    await host.tellModel(`The person asked for a table in the view: ${id ?? ''}, requested; booked: false.`);
    await look();
  } catch (error) {
    trouble = problem(error);
    render();
  }
}

async function look() {
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
