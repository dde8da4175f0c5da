import { html, type Html } from '../../../../core/text/html.ts';
import { assetUrl } from '../../assets.ts';
import { dataBlock } from '../../frame/layout.ts';
import { count, figure, sentenceCase } from '../../frame/wording.ts';
import { MAP_SIZE, type Card } from '../destination-query.ts';
import { HEIGHT, WIDTH, type Ground } from './ground.ts';

/** Places that fall into one square of this size are drawn as one mark with their number. */
const CELL = 56;
const DOT_RADIUS = 7;

/**
 * The places that match, on a map: a picture that needs no script, and the data from which a script makes one that
 * moves. No picture comes from anybody else.
 */
export function resultsMap(name: string, all: readonly Card[], more: boolean, ground: Ground): Html {
  const cards = all.filter(isPlaced);
  const unplaced = all.length - cards.length;
  const [south, west, north, east] = ground.bounds;
  return html`<figure
      class="map results-map"
      data-script="${assetUrl('leaflet.js')}"
      data-style="${assetUrl('leaflet.css')}"
      data-bounds="${[south, west, north, east].map((degrees) => degrees.toFixed(5)).join()}"
    >
      <div class="stage">
        <svg
          viewBox="0 0 ${WIDTH} ${HEIGHT}"
          role="img"
          aria-label="${`Map of ${count(cards.length, 'place')} in ${name}`}"
        >
          ${ground.picture}${clustersOf(cards, ground).map(mark)}${ground.scaleBar}
        </svg>
      </div>
      <figcaption>
        ${more && html`The first ${figure(MAP_SIZE)} places. `}${
          unplaced > 0 &&
          html`Not on the map: ${count(unplaced, 'place')} whose exact position we do not know. `
        }Land:
        Natural Earth, simplified.
      </figcaption>
    </figure>
    ${dataBlock(
      'application/json',
      cards.map((card) => pointOf(card, ground)),
    )}`;
}

type PlacedCard = Card & { lat: number; lng: number };

/** A place whose position is not known stands in the list only. */
function isPlaced(card: Card): card is PlacedCard {
  return card.position_known;
}

/** In the order in which the script reads it. The longitude is that of the map, which may lie beyond the date line. */
function pointOf({ lat, lng, name, place_id, category }: PlacedCard, { bounds }: Ground): unknown[] {
  const middle = (bounds[1] + bounds[3]) / 2;
  const turned = lng + 360 * Math.round((middle - lng) / 360);
  return [round(lat), round(turned), name, place_id, sentenceCase(category)];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

interface Cluster {
  x: number;
  y: number;
  size: number;
}

function clustersOf(cards: readonly PlacedCard[], ground: Ground): Cluster[] {
  const points = cards
    .map(({ lat, lng }) => ground.project(lat, lng))
    .filter(([x, y]) => x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
  const squares = Map.groupBy(points, ([x, y]) => `${Math.floor(x / CELL)}:${Math.floor(y / CELL)}`);
  return apart(
    [...squares.values()].map((members) => ({
      x: members.reduce((sum, [x]) => sum + x, 0) / members.length,
      y: members.reduce((sum, [, y]) => sum + y, 0) / members.length,
      size: members.length,
    })),
  );
}

/** Marks that would cover one another become one, until none does: a number under another is read by nobody. */
function apart(clusters: readonly Cluster[]): Cluster[] {
  const kept: Cluster[] = [];
  for (const cluster of clusters.toSorted((a, b) => b.size - a.size)) {
    const at = kept.findIndex((other) => isCovered(cluster, other));
    const other = kept[at];
    if (other === undefined) kept.push(cluster);
    else kept[at] = joined(cluster, other);
  }
  return kept.length === clusters.length ? kept : apart(kept);
}

function isCovered(one: Cluster, other: Cluster): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < radiusOf(one) + radiusOf(other);
}

function joined(one: Cluster, other: Cluster): Cluster {
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

function mark(cluster: Cluster): Html {
  const [x, y, radius] = [Math.round(cluster.x), Math.round(cluster.y), radiusOf(cluster)];
  if (cluster.size === 1) return html`<circle class="spot" cx="${x}" cy="${y}" r="${radius}" />`;
  return html`<g class="spot" transform="translate(${x} ${y})"
    ><circle r="${radius}" /><text y="6">${cluster.size}</text></g
  >`;
}
