import type { Point } from '../../../../core/geo.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { assetUrl } from '../../assets.ts';
import { dataBlock } from '../../frame/layout.ts';
import { formatCount, formatNumber } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { MAP_SIZE, type ListedCard } from '../destination-query.ts';
import { illustrationUrl } from '../place-picture.ts';
import { HEIGHT, WIDTH, type BaseMap } from './ground.ts';
import type { MapPoint } from './land.ts';

/** Grid cell size: places in one cell are one mark. */
const CELL = 56;
/** Radius of marks: of a place outside the list, and of one with a number. */
const RADIUS = { dot: 6, number: 14 };

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
  return html`<figure
      class="map results-map"
      id="map"
      ${streets || html` data-script="${assetUrl('leaflet.js')}" data-style="${assetUrl('leaflet.css')}" data-street-script="${assetUrl('street-map.js')}"`}
      ${near !== undefined && html` data-near="${near.lat},${near.lng}" data-near-name="${near.name ?? 'You are here'}"`}
      ${part !== undefined && html` data-part="${part}"`}
      data-bounds="${[south, west, north, east].map((degrees) => degrees.toFixed(5)).join()}"
    >
      <div class="stage">
        <svg
          viewBox="0 0 ${WIDTH} ${HEIGHT}"
          role="img"
          aria-label="${`Map of ${formatCount(cards.length, 'place')} in ${name}`}"
        >
          ${ground.picture}${clustersOf(cards, ground, numbers).map(mark)}${near !== undefined && ring(ground.project(near.lat, near.lng))}${ground.scaleBar}
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
  return [
    ...[round(lat), round(shifted), name, place_id, sentenceCase(category)],
    illustrationUrl(card, place_id),
  ];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

interface Cluster {
  x: number;
  y: number;
  size: number;
  /** Number of its best place in the list; Infinity when none is listed. */
  best: number;
}

function clustersOf(
  cards: readonly PlacedCard[],
  ground: BaseMap,
  numbers: ReadonlyMap<string, number>,
): Cluster[] {
  const points = cards
    .map(({ lat, lng, place_id }) => {
      const [x, y] = ground.project(lat, lng);
      return { x, y, size: 1, best: numbers.get(place_id) ?? Infinity };
    })
    .filter(({ x, y }) => x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
  const squares = Map.groupBy(points, ({ x, y }) => `${Math.floor(x / CELL)}:${Math.floor(y / CELL)}`);
  return mergeOverlapping([...squares.values()].map((members) => members.reduce(mergeClusters)));
}

/** Merges marks that would overlap until none does, so that every number is legible. */
function mergeOverlapping(clusters: readonly Cluster[]): Cluster[] {
  const merged: Cluster[] = [];
  for (const cluster of clusters.toSorted((a, b) => b.size - a.size)) {
    const at = merged.findIndex((other) => overlaps(cluster, other));
    const other = merged[at];
    if (other === undefined) merged.push(cluster);
    else merged[at] = mergeClusters(cluster, other);
  }
  return merged.length === clusters.length ? merged : mergeOverlapping(merged);
}

function overlaps(one: Cluster, other: Cluster): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < radiusOf(one) + radiusOf(other);
}

function mergeClusters(one: Cluster, other: Cluster): Cluster {
  const size = one.size + other.size;
  return {
    x: (one.x * one.size + other.x * other.size) / size,
    y: (one.y * one.size + other.y * other.size) / size,
    size,
    best: Math.min(one.best, other.best),
  };
}

function radiusOf({ size, best }: Cluster): number {
  return size === 1 && best === Infinity ? RADIUS.dot : RADIUS.number;
}

function ring([x, y]: MapPoint): Html {
  return html`<circle class="ring" cx="${Math.round(x)}" cy="${Math.round(y)}" r="13" />`;
}

/** A mark shows the number of its best place in the list, or else how many places it stands for. */
function mark(cluster: Cluster): Html {
  const { size, best } = cluster;
  const [x, y, radius] = [Math.round(cluster.x), Math.round(cluster.y), radiusOf(cluster)];
  const isListed = best !== Infinity;
  const text = isListed ? best : size > 1 && size;
  const more = isListed && size > 1 && html`<text class="more" x="13" y="-9">+${size - 1}</text>`;
  return html`<g class="spot ${isListed && 'numbered'}" data-places="${size}" transform="translate(${x} ${y})"
    ><circle r="${radius}" />${text !== false && html`<text y="5">${text}</text>`}${more}</g
  >`;
}
