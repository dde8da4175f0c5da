/** @import * as Leaflet from 'leaflet' */
/** @import { MapSpot, StreetMapInfo } from './shapes.ts' */
import { el } from './elements.js';
import { app, setup, wording } from './frame.js';

const ZOOM_MAX = 19;
/** One place is shown with its block. */
const ZOOM_FITTED_MAX = 17;
const PIN = 44;

/**
 * @typedef {{
 *   addStreets: (map: Leaflet.Map, figure: HTMLElement) => Promise<unknown>,
 *   leafletOptions: () => Leaflet.MapOptions,
 *   loadStyle: (href: string) => Promise<unknown>,
 * }} StreetScript
 */

/** @type {Promise<{ info: StreetMapInfo, script: StreetScript }> | undefined} */
let loading;

/** Loads from our own origin what draws streets. A host may forbid it. */
async function load() {
  const response = await fetch(addressOf('/tiles/map.json'));
  if (!response.ok) throw new Error('There is no street map.');
  /** @type {unknown} */
  const described = await response.json();
  const info = /** @type {StreetMapInfo} */ (described);
  /** @type {unknown} */
  const loaded = await import(addressOf(info.street_script));
  const script = /** @type {StreetScript} */ (loaded);
  await import(addressOf(info.script));
  await script.loadStyle(addressOf(info.style));
  return { info, script };
}

/** @param {string} path */
function addressOf(path) {
  return setup.origin + path;
}

/**
 * Shows the streets around the places instead of the drawn map, once they are loaded. Where they cannot be loaded, the
 * drawn map stays.
 * @param {Element | null} drawn
 * @param {readonly MapSpot[]} spots
 * @param {(spot: MapSpot) => void} [choose]
 */
export function withStreets(drawn, spots, choose) {
  if (!setup.streets) return drawn;
  const figure = el('div', { class: 'map streets' }, drawn);
  if (drawn === null) figure.hidden = true;
  showStreets(figure, spots, choose).catch(() => undefined);
  return figure;
}

/** @param {HTMLElement} figure @param {readonly MapSpot[]} spots @param {(spot: MapSpot) => void} [choose] */
async function showStreets(figure, spots, choose) {
  loading ??= load();
  const { info, script } = await loading;
  const isCovered = spots.some(({ lat, lng }) =>
    info.boxes.some(
      ({ west, south, east, north }) => lat >= south && lat <= north && lng >= west && lng <= east,
    ),
  );
  if (!isCovered || !figure.isConnected) return;
  const canvas = el('div', { class: 'canvas', role: 'group', 'aria-label': wording.words.map });
  const drawn = [...figure.childNodes];
  figure.replaceChildren(el('div', { class: 'stage' }, canvas));
  figure.hidden = false;
  try {
    await drawStreets(figure, canvas, spots, { info, script, choose });
  } catch {
    figure.replaceChildren(...drawn);
    figure.hidden = drawn.length === 0;
  }
}

/**
 * @param {HTMLElement} figure
 * @param {HTMLElement} canvas
 * @param {readonly MapSpot[]} spots
 * @param {{ info: StreetMapInfo, script: StreetScript, choose: ((spot: MapSpot) => void) | undefined }} loaded
 */
async function drawStreets(figure, canvas, spots, { info, script, choose }) {
  const { L } = /** @type {{ L: typeof Leaflet }} */ (/** @type {unknown} */ (globalThis));
  const sides = info.boxes.map(({ south, west, north, east }) => [south, west, north, east]);
  const side = (/** @type {number} */ at) => sides.map((box) => box[at] ?? 0);
  Object.assign(figure.dataset, {
    renderer: addressOf(info.renderer),
    streets: addressOf(info.tiles),
    streetZoom: String(info.max_zoom),
    streetBounds: [
      Math.min(...side(0)),
      Math.min(...side(1)),
      Math.max(...side(2)),
      Math.max(...side(3)),
    ].join(),
    attribution: info.attribution,
    languages: wording.locale,
  });
  const map = L.map(canvas, { ...script.leafletOptions(), maxZoom: ZOOM_MAX });
  const points = spots.map(({ lat, lng }) => L.latLng(lat, lng));
  map.fitBounds(L.latLngBounds(points), { padding: [PIN, PIN], maxZoom: ZOOM_FITTED_MAX, animate: false });
  L.control.scale({ imperial: false }).addTo(map);
  for (const spot of spots.toReversed()) pinOf(L, spot, choose).addTo(map);
  await script.addStreets(map, figure);
  // A frame cannot follow a link; the host opens it.
  figure.querySelector('.map-source')?.addEventListener('click', (event) => {
    event.preventDefault();
    const { href } = /** @type {HTMLAnchorElement} */ (event.currentTarget);
    app.openLink({ url: href }).catch(() => undefined);
  });
}

/** @param {typeof Leaflet} L @param {MapSpot} spot @param {(spot: MapSpot) => void} [choose] */
function pinOf(L, spot, choose) {
  const face = el('span', {}, choose === undefined ? '' : String(spot.number));
  const icon = L.divIcon({ html: face, className: 'pin', iconSize: [PIN, PIN] });
  const marker = L.marker([spot.lat, spot.lng], {
    ...{ icon, title: spot.name, alt: spot.name, zIndexOffset: -100 * spot.number },
    ...{ interactive: choose !== undefined, keyboard: choose !== undefined },
  });
  marker.on('add', () => marker.getElement()?.setAttribute('data-number', String(spot.number)));
  if (choose === undefined) return marker;
  marker.on('click', () => {
    choose(spot);
  });
  marker.on('keydown', ({ originalEvent }) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
    originalEvent.preventDefault();
    choose(spot);
  });
  return marker;
}
