import type { Point } from '../../../../core/geo.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { assetUrl } from '../../assets.ts';
import { dataBlock } from '../../frame/layout.ts';
import { formatCount, formatNumber } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { MAP_SIZE, type ListedCard } from '../destination-query.ts';
import { HEIGHT, WIDTH, type BaseMap } from './ground.ts';
import type { MapPoint } from './land.ts';

/** Radius of marks: of a place outside the list, of several, and of one with a number. */
const RADIUS = { dot: 6, many: 9, number: 14 };
/** Areas with fewer of the shown places, and further ones, have no name on the map. */
const AREA_PLACES_MIN = 2;
const AREAS_MAX = 12;

interface DrawnMap {
  /** Ids of the places in the list, in its order. */
  listed: readonly string[];
  ground: BaseMap;
  streets: Html | false;
  /** The point around which the visitor searches, drawn as a ring. */
  near?: (Point & { name?: string }) | undefined;
  /** The part of the map that the visitor searches, as a parameter. */
  part?: string | undefined;
}

/**
 * Renders the matching places on a map: a picture that needs no script, and the data from which a script builds an
 * interactive map. No image is loaded from third parties.
 */
export function resultsMap(
  name: string,
  all: readonly ListedCard[],
  more: boolean,
  { listed, ground, streets, near, part }: DrawnMap,
): Html {
  const cards = all.filter(isPlaced);
  const numbers = new Map(listed.map((id, at) => [id, at + 1]));
  const unplaced = all.length - cards.length;
  const [south, west, north, east] = ground.bounds;
  const areas = streets === false ? areaNames(cards) : [];
  return html`<figure
      class="map results-map"
      id="map"
      ${streets || html` data-script="${assetUrl('leaflet.js')}" data-style="${assetUrl('leaflet.css')}" data-street-script="${assetUrl('street-map.js')}"`}
      ${near !== undefined && html` data-near="${near.lat},${near.lng}" data-near-name="${near.name ?? 'You are here'}"`}
      ${areas.length > 0 && html` data-areas="${JSON.stringify(areas)}"`}
      ${part !== undefined && html` data-part="${part}"`}
      data-bounds="${[south, west, north, east].map((degrees) => degrees.toFixed(5)).join()}"
    >
      <div class="stage">
        <svg
          viewBox="0 0 ${WIDTH} ${HEIGHT}"
          role="img"
          aria-label="${`Map of ${formatCount(cards.length, 'place')} in ${name}`}"
        >
          ${ground.picture}${streets === false && writeAreas(areas, ground)}${marksOf(cards, ground, numbers).map(drawMark)}${near !== undefined && ring(ground.project(near.lat, near.lng))}${ground.scaleBar}
        </svg>
      </div>
      <figcaption>
        ${more && html`The first ${formatNumber(MAP_SIZE)} places. `}${
          unplaced > 0 &&
          html`Not on the map: ${formatCount(unplaced, 'place')} whose exact position we do not know. `
        }${streets === false && 'Land: Natural Earth, simplified.'}
      </figcaption>
    </figure>
    ${dataBlock(
      'application/json',
      cards.map((card) => pointOf(card, ground)),
    )}`;
}

type PlacedCard = ListedCard & { lat: number; lng: number };

/** Places without a known position are in the list only. */
function isPlaced(card: ListedCard): card is PlacedCard {
  return card.position_known;
}

/**
 * Returns the fields in the order the script reads them. The longitude is shifted to the map's range, which may pass
 * the date line.
 */
function pointOf(card: PlacedCard, { bounds }: BaseMap): unknown[] {
  const { lat, lng, name, place_id, category } = card;
  const middle = (bounds[1] + bounds[3]) / 2;
  const shifted = lng + 360 * Math.round((middle - lng) / 360);
  return [round(lat), round(shifted), name, place_id, sentenceCase(category)];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

interface Mark {
  x: number;
  y: number;
  size: number;
  /** Number of its place in the list; undefined for places outside the list. */
  number: number | undefined;
}

/** Groups places into marks that do not cover each other. A numbered mark is where the place of this number is. */
function marksOf(
  cards: readonly PlacedCard[],
  ground: BaseMap,
  numbers: ReadonlyMap<string, number>,
): Mark[] {
  const orderOf = ({ place_id }: PlacedCard) => numbers.get(place_id) ?? cards.length;
  const marks: Mark[] = [];
  for (const card of cards.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const [x, y] = ground.project(card.lat, card.lng);
    if (x <= 0 || x >= WIDTH || y <= 0 || y >= HEIGHT) continue;
    const number = numbers.get(card.place_id);
    const radius = number === undefined ? RADIUS.many : RADIUS.number;
    const covered = marks.find((other) => {
      const otherRadius = other.number === undefined ? RADIUS.many : RADIUS.number;
      return Math.hypot(x - other.x, y - other.y) < radius + otherRadius;
    });
    if (covered === undefined) marks.push({ x, y, size: 1, number });
    else covered.size += 1;
  }
  return marks;
}

type AreaName = readonly [name: string, lat: number, lng: number];

/** Returns the names of the areas in which most of the places lie, with the middle of these places. */
function areaNames(cards: readonly PlacedCard[]): AreaName[] {
  const byArea = [...Map.groupBy(cards, ({ area }) => area ?? '')].filter(
    ([area, { length }]) => area !== '' && length >= AREA_PLACES_MIN,
  );
  return byArea
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, AREAS_MAX)
    .map(([area, inside]) => [
      area,
      round(median(inside.map(({ lat }) => lat))),
      round(median(inside.map(({ lng }) => lng))),
    ]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Writes the names of areas below the marks, those with most places first. */
function writeAreas(areas: readonly AreaName[], ground: BaseMap): Html[] {
  const taken: MapPoint[] = [];
  return areas.flatMap(([name, lat, lng]) => {
    const [x, y] = ground.project(lat, lng).map(Math.round) as [number, number];
    const isFree = taken.every(([otherX, otherY]) => Math.abs(x - otherX) > 140 || Math.abs(y - otherY) > 24);
    if (!isFree || x < 60 || x > WIDTH - 60 || y < 20 || y > HEIGHT - 40) return [];
    taken.push([x, y]);
    return [html`<text class="area-name" x="${x}" y="${y - RADIUS.number - 6}">${name}</text>`];
  });
}

function ring([x, y]: MapPoint): Html {
  return html`<circle class="ring" cx="${Math.round(x)}" cy="${Math.round(y)}" r="13" />`;
}

/** A number means one place; several places without one are a larger dot. */
function drawMark({ size, number, ...at }: Mark): Html {
  const radius = number !== undefined ? RADIUS.number : size > 1 ? RADIUS.many : RADIUS.dot;
  const kind = `${number === undefined ? '' : ' numbered'}${size > 1 ? ' many' : ''}`;
  const [x, y] = [Math.round(at.x), Math.round(at.y)];
  return html`<g class="spot${kind}" data-places="${size}" transform="translate(${x} ${y})"
    ><circle r="${radius}" />${number !== undefined && html`<text y="5">${number}</text>`}</g
  >`;
}
