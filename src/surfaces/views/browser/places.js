/** @import { Card, PlaceList, PlaceRecord, MapSpot, ViewRenderer } from './shapes.ts' */
import { button, el } from './elements.js';
import { app, ask, attributionOf, canCallTools, problem, render, setup, wayTo, wording } from './frame.js';
import { mapOf, narrow } from './map.js';
import { withStreets } from './streets.js';
import { kindLine, methodWord, openBadges, placeRecord } from './place-record.js';

/** Number of places shown before the person requests more. */
const PAGE_SIZE = 6;
/** Fields that cards show beyond those that a model needs to choose a place. */
const FIELDS = ['lat', 'lng', 'rating', 'review_count', 'price_range', 'cuisine', 'url'];

/** @type {PlaceList | undefined} The current result; a new one resets the view. */
let current;
/** @type {Card[]} */
let places = [];
/** @type {string | null} */
let next = null;
let shownCount = PAGE_SIZE;
/** @type {PlaceRecord | undefined} */
let opened;
/** @type {Node | null} */
let trouble = null;

narrow.addEventListener('change', render);

/** @type {ViewRenderer} */
export const placesView = (answer, input) => {
  const list = /** @type {PlaceList} */ (/** @type {unknown} */ (answer));
  if (list !== current) {
    current = list;
    places = list.places;
    next = list.next_cursor ?? null;
    shownCount = PAGE_SIZE;
    opened = undefined;
    if (!setup.metered && isWithoutMap()) void fill(list, input);
  }
  return opened === undefined ? results(list, input) : [back(), ...placeRecord(opened)];
};

/** @param {PlaceList} list @param {Record<string, unknown>} input @returns {(Node | null)[]} */
function results(list, input) {
  const { words } = wording;
  if (places.length === 0)
    return [
      el('p', {}, words.noPlaces),
      list.hint ? el('p', { class: 'quiet', lang: 'en' }, list.hint) : null,
      attributionOf(list),
    ];
  const zone = list.timezone ?? list.destination?.timezone;
  if (app.getHostContext()?.displayMode === 'fullscreen') shownCount = Math.max(shownCount, places.length);
  const visible = places.slice(0, shownCount);
  const where = list.destination?.name;
  const count = words.places(places.length);
  return [
    el(
      'header',
      { class: 'line' },
      el('h1', {}, where ?? count),
      where ? el('p', { class: 'quiet' }, count) : null,
    ),
    spotsOf(visible),
    setup.metered && isWithoutMap() ? button(words.showMap, () => fill(list, input)) : null,
    el('ol', { class: 'cards' }, ...visible.map((card, i) => cardOf(card, i + 1, zone))),
    trouble,
    visible.length < places.length || next !== null ? button(words.more, () => more(list, input)) : null,
    el('p', { class: 'quiet' }, words.notBooked),
    attributionOf(list),
  ];
}

/** True when the result has only the fields for a model, and more can be fetched. */
function isWithoutMap() {
  return canCallTools() && places.length > 0 && places.every(({ lat }) => lat === undefined);
}

/**
 * Fetches the fields that the map and the cards need. @param {PlaceList} list @param {Record<string, unknown>} input
 */
async function fill(list, input) {
  try {
    places = (await search(list, input)).places;
    render();
  } catch {
    // The cards stay as they are, without a map.
  }
}

/** @param {PlaceList} list @param {Record<string, unknown>} args */
async function search(list, args) {
  const operation = 'local_time' in list ? 'open_places' : 'search_places';
  return /** @type {PlaceList} */ (
    /** @type {unknown} */ (await ask(operation, { ...args, fields: FIELDS }))
  );
}

/** @param {readonly Card[]} visible */
function spotsOf(visible) {
  const spots = visible.flatMap(({ lat, lng, name }, i) =>
    typeof lat === 'number' && typeof lng === 'number' ? [{ lat, lng, name, number: i + 1 }] : [],
  );
  if (spots.length === 0) return null;
  const choose = (/** @type {MapSpot} */ { number }) => {
    for (const card of document.querySelectorAll('.cards > li'))
      card.classList.toggle('chosen', card.id === `place-${number}`);
    const chosen = document.getElementById(`place-${number}`);
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
    chosen?.querySelector('button')?.focus();
  };
  return withStreets(mapOf(spots, choose), spots, choose);
}

/** @param {Card} card @param {number} number @param {string} [zone] */
function cardOf(card, number, zone) {
  const { words } = wording;
  const far = card.distance_m === undefined ? null : wording.distance(card.distance_m);
  const item = el(
    'li',
    { id: `place-${number}` },
    el('span', { class: 'number-pin', 'aria-hidden': 'true' }, String(number)),
    el(
      'div',
      { class: 'card-text' },
      el('h2', {}, card.name),
      card.local_name === undefined ? null : el('p', { class: 'quiet' }, card.local_name),
      el('p', { class: 'quiet' }, [kindLine(card), far].filter((part) => part).join(' · ')),
      el('p', { class: 'badges' }, ...openBadges(card, card.booking?.method === 'closed', zone)),
      el('p', { class: 'quiet' }, methodWord(card.booking)),
      el(
        'p',
        { class: 'actions' },
        setup.tools['place'] !== undefined && canCallTools()
          ? button(words.details, () => open(card))
          : wayTo(words.placePage, card.url),
      ),
    ),
  );
  item.addEventListener('pointerenter', () => {
    highlight(number);
  });
  return item;
}

/** Highlights the pin of the card under the pointer. @param {number} number */
function highlight(number) {
  for (const pin of document.querySelectorAll('.map .pin'))
    pin.classList.toggle('near', pin.getAttribute('data-number') === String(number));
}

/** @param {Card} card */
async function open(card) {
  try {
    const response = await ask('place', { place_id: card.place_id, lang: wording.locale });
    opened = /** @type {PlaceRecord} */ (/** @type {unknown} */ (response));
    trouble = null;
  } catch (error) {
    trouble = problem(error);
  }
  render();
}

function back() {
  return button(`← ${wording.words.back}`, () => {
    opened = undefined;
    render();
  });
}

/**
 * Shows more of the loaded places, then fetches the next page. @param {PlaceList} list @param {Record<string, unknown>}
 * input
 */
async function more(list, input) {
  if (shownCount < places.length) shownCount += PAGE_SIZE;
  else
    try {
      const page = await search(list, { ...input, cursor: next });
      places = [...places, ...page.places];
      next = page.next_cursor ?? null;
      shownCount += PAGE_SIZE;
      trouble = null;
    } catch (error) {
      trouble = problem(error);
    }
  render();
}
