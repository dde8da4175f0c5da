import type { Point } from '../../../../core/geo.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { assetUrl } from '../../assets.ts';
import { dataBlock } from '../../frame/layout.ts';
import { formatCount, formatNumber } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { MAP_SIZE, type ListedCard } from '../destination-query.ts';
import { HEIGHT, WIDTH, type BaseMap } from './ground.ts';
import type { MapPoint } from './land.ts';

/** Grid cell size: places in one cell are drawn as one mark with their number. */
const CELL = 56;
const DOT_RADIUS = 7;

interface DrawnMap {
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
  { ground, streets, near, part }: DrawnMap,
): Html {
  const cards = all.filter(isPlaced);
  const unplaced = all.length - cards.length;
  const [south, west, north, east] = ground.bounds;
  return html`<figure
      class="map results-map"
      id="map"
      ${streets || html` data-script="${assetUrl('leaflet.js')}" data-style="${assetUrl('leaflet.css')}"`}
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
          ${ground.picture}${clustersOf(cards, ground).map(mark)}${near !== undefined && ring(ground.project(near.lat, near.lng))}${ground.scaleBar}
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
function pointOf({ lat, lng, name, place_id, category }: PlacedCard, { bounds }: BaseMap): unknown[] {
  const middle = (bounds[1] + bounds[3]) / 2;
  const shifted = lng + 360 * Math.round((middle - lng) / 360);
  return [round(lat), round(shifted), name, place_id, sentenceCase(category)];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

interface Cluster {
  x: number;
  y: number;
  size: number;
}

function clustersOf(cards: readonly PlacedCard[], ground: BaseMap): Cluster[] {
  const points = cards
    .map(({ lat, lng }) => ground.project(lat, lng))
    .filter(([x, y]) => x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
  const squares = Map.groupBy(points, ([x, y]) => `${Math.floor(x / CELL)}:${Math.floor(y / CELL)}`);
  return mergeOverlapping(
    [...squares.values()].map((members) => ({
      x: members.reduce((sum, [x]) => sum + x, 0) / members.length,
      y: members.reduce((sum, [, y]) => sum + y, 0) / members.length,
      size: members.length,
    })),
  );
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
  };
}

function radiusOf({ size }: Cluster): number {
  if (size === 1) return DOT_RADIUS;
  return size < 10 ? 15 : size < 100 ? 19 : 24;
}

function ring([x, y]: MapPoint): Html {
  return html`<circle class="ring" cx="${Math.round(x)}" cy="${Math.round(y)}" r="13" />`;
}

function mark(cluster: Cluster): Html {
  const [x, y, radius] = [Math.round(cluster.x), Math.round(cluster.y), radiusOf(cluster)];
  if (cluster.size === 1) return html`<circle class="spot" cx="${x}" cy="${y}" r="${radius}" />`;
  return html`<g class="spot" transform="translate(${x} ${y})"
    ><circle r="${radius}" /><text y="6">${cluster.size}</text></g
  >`;
}
