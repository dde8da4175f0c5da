/** @import { Card, Hours, MenuSection, PlaceRecord } from './shapes.ts' */
import { button, el, fact } from './elements.js';
import { withStreets } from './streets.js';
import { app, attributionOf, picture, wayTo, wording } from './frame.js';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** One place in full. @param {PlaceRecord} place @returns {(Node | null)[]} */
export function placeRecord(place) {
  const zone = place.destination?.timezone ?? place.timezone;
  const closed = place.booking?.method === 'closed' || (place.closed ?? null) !== null;
  return [
    photoStrip(place),
    el(
      'header',
      {},
      el('h1', {}, place.name),
      place.local_name === undefined ? null : el('p', { class: 'quiet' }, place.local_name),
      el('p', { class: 'quiet' }, kindLine(place)),
      el('p', { class: 'badges' }, ...openBadges(place, closed, zone)),
    ),
    closed ? null : bookingPart(place),
    streetsAt(place),
    place.about ? el('p', { class: 'about' }, place.about) : null,
    el(
      'div',
      { class: 'columns' },
      hoursPart(place.hours ?? null, zone),
      contactPart(place),
      factsPart(place.facts ?? {}),
    ),
    menuPart(place.menu?.sections ?? []),
    attributionOf(place),
  ];
}

/** The streets around the place, where this service has them. @param {PlaceRecord} place */
function streetsAt({ name, lat, lng, coordinates }) {
  const at = { lat: lat ?? coordinates?.lat, lng: lng ?? coordinates?.lng };
  if (typeof at.lat !== 'number' || typeof at.lng !== 'number') return null;
  return withStreets(null, [{ lat: at.lat, lng: at.lng, number: 1, name }]);
}

/** Kind and location of a place, in one line. @param {Card | PlaceRecord} place */
export function kindLine(place) {
  const kinds = [place.category, ...(place.cuisine ?? [])].filter((kind) => kind !== undefined);
  const kind = [...new Set(kinds)]
    .slice(0, 3)
    .map((word) => word.replaceAll('_', ' '))
    .join(', ');
  return [kind, place.area ?? place.city].filter((part) => part).join(' · ');
}

/** @param {Card | PlaceRecord} place @param {boolean} closed @param {string} [zone] @returns {Node[]} */
export function openBadges(place, closed, zone) {
  const { words } = wording;
  const badge = (/** @type {string} */ kind, /** @type {string} */ text) =>
    el('span', { class: `badge ${kind}` }, text);
  if (closed) return [badge('bad', words.gone)];
  const until = 'open_until' in place ? place.open_until : undefined;
  const open =
    place.open_now === true
      ? badge('good', until ? words.openUntil(wording.clock(until, zone)) : words.openNow)
      : place.open_now === false
        ? badge('warn', words.closedNow)
        : place.hours_from === undefined
          ? badge('', words.hoursUnknown)
          : badge('', usualOf(place.open_by_hours === true, wording.month(place.hours_from.slice(0, 7))));
  const { value, count } = ratingOf(place);
  const price = place.price_range ? [badge('', place.price_range)] : [];
  if (value === null) return [open, ...price];
  const stars = el(
    'span',
    { class: 'rating' },
    `★ ${wording.rating(value)}`,
    el('span', { class: 'quiet' }, ` (${words.reviews(count)})`),
  );
  return [stars, open, ...price];
}

/** @param {boolean} isOpen @param {string} month */
function usualOf(isOpen, month) {
  const { words } = wording;
  return isOpen ? words.usuallyOpen(month) : words.usuallyClosed(month);
}

/** @param {Card | PlaceRecord} place */
function ratingOf({ rating, review_count: count = 0 }) {
  if (typeof rating === 'object' && rating !== null) return { value: rating.value, count: rating.count };
  return { value: rating ?? null, count };
}

/** Label of a booking method; without one, that of the telephone. @param {{ method: string } | undefined} booking */
export function methodWord(booking) {
  const { methods } = wording.words;
  const method = booking?.method.startsWith('not_through') ? 'not_through' : (booking?.method ?? 'phone');
  return method in methods ? methods[/** @type {keyof typeof methods} */ (method)] : '';
}

/** @param {PlaceRecord} place */
function bookingPart(place) {
  const { words } = wording;
  const method = place.booking?.method;
  const url = place.booking?.url ?? place.booking_page;
  const phone = place.booking?.phone ?? place.phone ?? place.contact?.phone;
  return el(
    'section',
    { class: 'booking-way' },
    el('p', {}, el('strong', {}, methodWord(place.booking)), ' ', method === 'phone' && phone ? phone : null),
    method === 'venue_system' ? wayTo(words.bookingPage, url, 'main') : null,
    method === 'request' && app.getHostCapabilities()?.message !== undefined
      ? // The message names the place by its id: its name is untrusted text, and would be sent as the person.
        button(words.askHere, () => say(`${words.askHere}: ${place.place_id}`), 'main')
      : null,
    el('p', { class: 'quiet' }, words.notBooked),
  );
}

/** Sends a message to the conversation as the person. Call it only on a tap. @param {string} text */
async function say(text) {
  await app.sendMessage({ role: 'user', content: [{ type: 'text', text }] }).catch(() => undefined);
}

/** @param {PlaceRecord} place */
function photoStrip({ photos = [] }) {
  const figures = photos.flatMap(({ url, attribution }) => {
    const image = picture(url, attribution);
    return image === null ? [] : [el('figure', {}, image, el('figcaption', {}, attribution))];
  });
  return figures.length === 0 ? null : el('div', { class: 'strip', tabindex: '0' }, ...figures);
}

/** @param {Hours | null} hours @param {string} [zone] */
function hoursPart(hours, zone) {
  const { words } = wording;
  const { structured = null, text = null, verified = false } = hours ?? {};
  if (structured === null && text === null) return null;
  const today = dayIn(zone);
  const rows = DAYS.map((day, i) => {
    const spans = structured?.[day] ?? [];
    const times = spans.length === 0 ? words.closedDay : spans.map((span) => span.join('–')).join(', ');
    return el(
      'tr',
      i === today ? { class: 'today' } : {},
      el('th', { scope: 'row' }, wording.weekday(i)),
      el('td', {}, times),
    );
  });
  return el(
    'section',
    {},
    el('h2', {}, words.hours),
    structured === null ? el('p', {}, text) : el('table', {}, el('tbody', {}, ...rows)),
    verified ? null : el('p', { class: 'quiet' }, words.hoursUnknown),
  );
}

/** Current day of the week at the place; 0 is Monday. @param {string} [timeZone] */
function dayIn(timeZone) {
  const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone }).format(new Date());
  return DAYS.indexOf(day.toLowerCase());
}

/** @param {PlaceRecord} place */
function contactPart(place) {
  const { words } = wording;
  const contact = { phone: place.phone, website: place.website, address: place.address, ...place.contact };
  const { lat, lng } = place.coordinates ?? place;
  const map =
    typeof lat === 'number' && typeof lng === 'number' ? `${lat.toFixed(5)}, ${lng.toFixed(5)}` : null;
  const rows = [
    contact.address ? fact(words.address, contact.address) : null,
    contact.phone ? fact(words.phone, el('span', { class: 'number' }, contact.phone)) : null,
    contact.website ? fact(words.website, wayTo(null, contact.website, 'link') ?? contact.website) : null,
    map === null ? null : fact('GPS', el('span', { class: 'number' }, map)),
  ].filter((row) => row !== null);
  return rows.length === 0 ? null : el('section', {}, el('h2', {}, words.contact), el('dl', {}, ...rows));
}

/** @param {Record<string, unknown>} facts */
function factsPart(facts) {
  const { words } = wording;
  const rows = Object.entries(words.facts).flatMap(([name, label]) => {
    const values = [facts[name]].flat().filter((value) => typeof value === 'string');
    const text = values.map((value) => words.factValues[value] ?? value.replaceAll('_', ' ')).join(', ');
    return text === '' ? [] : [fact(label, text)];
  });
  return rows.length === 0 ? null : el('section', {}, el('h2', {}, words.goodToKnow), el('dl', {}, ...rows));
}

/** @param {readonly MenuSection[]} sections */
function menuPart(sections) {
  if (sections.length === 0) return null;
  const parts = sections.flatMap(({ name, items }) => [
    el('h3', {}, name),
    el(
      'ul',
      { class: 'menu' },
      ...items.map((item) =>
        el(
          'li',
          {},
          el('span', {}, item.name, item.description ? el('small', {}, item.description) : null),
          el('span', { class: 'number' }, item.price),
        ),
      ),
    ),
  ]);
  return el('details', { class: 'fold' }, el('summary', {}, wording.words.menu), ...parts);
}
