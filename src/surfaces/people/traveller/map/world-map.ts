import { lazy } from '../../../../core/memory/lazy.ts';
import { html, raw, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import { closedPath, openPath, readLand, type Coast, type MapPoint } from './land.ts';

type MapDestination = Pick<Destination, 'slug' | 'name' | 'country_name' | 'lat' | 'lng'>;

const WIDTH = 2000;
/** Longitude of the map's edges: in the Bering Strait, where they cross no land that we draw. */
const CUT_LNG = -169;
const NORTH = 84;
const SOUTH = -56;

/** Equal Earth projection: areas keep their true proportions, so that Africa is as large as it is. */
function equalEarth(lng: number, lat: number): MapPoint {
  const theta = Math.asin((Math.sqrt(3) / 2) * Math.sin((lat * Math.PI) / 180));
  const square = theta * theta;
  const sixth = square * square * square;
  const slope = 1.340264 - 3 * 0.081106 * square + sixth * (7 * 0.000893 + 9 * 0.003796 * square);
  const lambda = ((lng - CUT_LNG - 180) * Math.PI) / 180;
  return [
    (2 * Math.sqrt(3) * lambda * Math.cos(theta)) / (3 * slope),
    theta * (1.340264 - 0.081106 * square + sixth * (0.000893 + 0.003796 * square)),
  ];
}

const HALF_WIDTH = equalEarth(CUT_LNG + 360, 0)[0];
const SCALE = WIDTH / (2 * HALF_WIDTH);
const TOP = equalEarth(0, NORTH)[1];
const HEIGHT = Math.round((TOP - equalEarth(0, SOUTH)[1]) * SCALE);

/** Projects degrees to the map's grid. */
function project(lng: number, lat: number): MapPoint {
  const [x, y] = equalEarth(lng, lat);
  return [(x + HALF_WIDTH) * SCALE, (TOP - y) * SCALE];
}

/** Returns the shift (a multiple of 360) that brings a longitude between the edges of the map. */
function turnOf(lng: number): number {
  return -360 * Math.floor((lng - CUT_LNG) / 360);
}

/** Projects a coast. One that crosses the map's edge is placed on one side as a whole, by its middle. */
function projectCoast({ points, west, east }: Coast): MapPoint[] {
  const turn = turnOf((west + east) / 2);
  return points.map(([lng, lat]) => project(lng + turn, lat));
}

function landPath(): string {
  const coasts = readLand('110m').filter(({ north }) => north > SOUTH);
  return closedPath(coasts.map(projectCoast));
}

function gridPath(): string {
  return [...parallels(), ...meridians()].map(openPath).join('');
}

function parallels(): MapPoint[][] {
  const lats = [-30, 0, 30, 60];
  return lats.map((lat) => [project(CUT_LNG, lat), project(CUT_LNG + 360, lat)]);
}

function meridians(): MapPoint[][] {
  const lngs = Array.from({ length: 11 }, (_, index) => -150 + index * 30);
  const lats = Array.from({ length: 15 }, (_, index) => SOUTH + index * 10);
  return lngs.map((lng) => lats.map((lat) => project(lng, lat)));
}

/** Everything but the dots, built once: it is the same on every page. */
const ground = lazy(() =>
  raw(
    '<defs><g id="dot" class="dot"><circle r="14"/><path d="M0 0h0"/><path d="M0 0h0"/></g></defs>' +
      `<path class="grid" d="${gridPath()}"/><path class="land" d="${landPath()}"/>`,
  ),
);

/** Renders a map of the world with one link per destination. */
export function worldMap(destinations: readonly MapDestination[], label: string): Html {
  return html`<svg class="world" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="${label}">
    ${ground()}${destinations.map(dot)}
  </svg>`;
}

function dot({ slug, name, country_name, lat, lng }: MapDestination): Html {
  const [x, y] = project(lng + turnOf(lng), lat).map(Math.round) as [number, number];
  return html`<a href="/d/${slug}"
    ><title>${name}, ${country_name}</title><use href="#dot" x="${x}" y="${y}"
  /></a>`;
}
