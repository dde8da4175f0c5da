import { draw } from './elements.js';
import { wording } from './frame.js';

/** In a narrow frame the map is drawn smaller, but its pins are not. */
export const narrow = window.matchMedia('(max-width: 30rem)');
let width = 640;
let height = 300;
const EDGE = 30;
const PIN = 13;
const EARTH_M = 111_320;
/** Minimum extent of the map in metres, so that places in one building are not drawn far apart. */
const EXTENT_MIN_M = 300;
const SCALES = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000];

/** @import { MapSpot } from './shapes.ts' */
/** @typedef {MapSpot & { x: number, y: number, atX: number, atY: number }} Pin */

/**
 * Draws the places as numbered pins, with a scale. It loads nothing.
 * @param {readonly MapSpot[]} spots
 * @param {(spot: MapSpot) => void} choose
 */
export function mapOf(spots, choose) {
  [width, height] = narrow.matches ? [340, 240] : [640, 300];
  const { pins, metresAPixel } = place(spots);
  const picture = draw('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'map',
    role: 'group',
    'aria-label': wording.words.map,
  });
  picture.append(
    grid(metresAPixel),
    ...pins.map(leader),
    ...pins.toReversed().map((pin) => pinOf(pin, choose)),
  );
  picture.append(scale(metresAPixel));
  return picture;
}

/** @param {readonly MapSpot[]} spots */
function place(spots) {
  const lats = spots.map(({ lat }) => lat);
  const middle = (Math.min(...lats) + Math.max(...lats)) / 2;
  const shrink = Math.cos((middle * Math.PI) / 180);
  // Across the antimeridian, use the shorter direction.
  const lngs = spots.map(({ lng }) => lng);
  const across = Math.max(...lngs) - Math.min(...lngs) > 180;
  const east = (/** @type {number} */ lng) => (across && lng < 0 ? lng + 360 : lng) * shrink * EARTH_M;
  const xs = spots.map(({ lng }) => east(lng));
  const ys = spots.map(({ lat }) => -lat * EARTH_M);
  const spanX = Math.max(...xs) - Math.min(...xs);
  const spanY = Math.max(...ys) - Math.min(...ys);
  const metresAPixel = Math.max(
    spanX / (width - 2 * EDGE),
    spanY / (height - 2 * EDGE),
    EXTENT_MIN_M / (height - 2 * EDGE),
  );
  const [midX, midY] = [Math.min(...xs) + spanX / 2, Math.min(...ys) + spanY / 2];
  const pins = spots.map((spot, i) => {
    const x = width / 2 + ((xs[i] ?? 0) - midX) / metresAPixel;
    const y = height / 2 + ((ys[i] ?? 0) - midY) / metresAPixel;
    return { ...spot, x, y, atX: x, atY: y };
  });
  spread(pins);
  return { pins, metresAPixel };
}

/** Moves overlapping pins apart; a line leads to the actual position of each. @param {Pin[]} pins */
function spread(pins) {
  const apart = PIN * 2 + 2;
  for (let round = 0; round < 60; round++)
    for (const [i, one] of pins.entries())
      for (const two of pins.slice(i + 1)) {
        const [dx, dy] = [two.x - one.x || 0.1, two.y - one.y || 0.1];
        const distance = Math.hypot(dx, dy);
        if (distance >= apart) continue;
        const [moveX, moveY] = [(dx / distance) * 1.5, (dy / distance) * 1.5];
        one.x = within(one.x - moveX, width);
        one.y = within(one.y - moveY, height);
        two.x = within(two.x + moveX, width);
        two.y = within(two.y + moveY, height);
      }
}

/** @param {number} at @param {number} size */
function within(at, size) {
  return Math.min(size - PIN - 4, Math.max(PIN + 4, at));
}

/** @param {Pin} pin */
function leader({ x, y, atX, atY }) {
  if (Math.hypot(x - atX, y - atY) < 3) return draw('g');
  return draw(
    'g',
    { class: 'leader' },
    draw('line', { x1: atX, y1: atY, x2: x, y2: y }),
    draw('circle', { cx: atX, cy: atY, r: 2.5 }),
  );
}

/** @param {Pin} pin @param {(spot: MapSpot) => void} choose */
function pinOf(pin, choose) {
  const element = draw(
    'g',
    {
      class: 'pin',
      role: 'button',
      tabindex: 0,
      'data-number': pin.number,
      transform: `translate(${pin.x} ${pin.y})`,
    },
    draw('title', {}, pin.name),
    draw('circle', { r: 22, class: 'touch' }),
    draw('circle', { r: PIN }),
    draw('text', { y: 4.5 }, String(pin.number)),
  );
  element.addEventListener('click', () => {
    choose(pin);
  });
  element.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    choose(pin);
  });
  return element;
}

/** Grid lines, as far apart as the scale is long. @param {number} metresAPixel */
function grid(metresAPixel) {
  const step = scaleMetres(metresAPixel) / metresAPixel;
  const lines = draw('g', { class: 'grid' });
  for (let x = (width / 2) % step; x < width; x += step)
    lines.append(draw('path', { d: `M${x} 0V${height}` }));
  for (let y = (height / 2) % step; y < height; y += step)
    lines.append(draw('path', { d: `M0 ${y}H${width}` }));
  return lines;
}

/** @param {number} metresAPixel */
function scale(metresAPixel) {
  const metres = scaleMetres(metresAPixel);
  const long = metres / metresAPixel;
  const bottom = height - 12;
  return draw(
    'g',
    { class: 'scale' },
    draw('path', { d: `M14 ${bottom - 6}v6h${long}v-6` }),
    draw('text', { x: 18, y: bottom - 6 }, wording.distance(metres)),
  );
}

/** @param {number} metresAPixel */
function scaleMetres(metresAPixel) {
  return SCALES.findLast((metres) => metres / metresAPixel <= width / 5) ?? 50;
}
