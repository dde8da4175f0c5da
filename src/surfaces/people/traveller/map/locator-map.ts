import { lazy } from '../../../../core/memory/lazy.ts';
import { html, raw, type Html } from '../../../../core/text/html.ts';
import { clip, closedPath, readLand, type Coast, type MapBounds } from './land.ts';

const WIDTH = 480;
const HEIGHT = 360;
const SPAN_LAT = 14;
const SCALE_Y = HEIGHT / SPAN_LAT;
const KM_PER_DEGREE = 111.2;
const BAR_KM = 500;
/** Margin outside the picture for clipping, so that the clipped edges are never visible. */
const MARGIN = 20;
const FRAME: MapBounds = { left: -MARGIN, right: WIDTH + MARGIN, top: -MARGIN, bottom: HEIGHT + MARGIN };

const coasts = lazy(() => readLand('50m'));

const regions = new Map<string, Html>();

/** Renders a map of the region around one point, with a scale bar. */
export function locatorMap({ name, lat, lng }: { name: string; lat: number; lng: number }): Html {
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="${`Map of the region around ${name}`}"
  >
    ${region(lat, lng)}
  </svg>`;
}

/** Draws each region once and caches it: clipping a continent costs milliseconds, and destinations do not move. */
function region(lat: number, lng: number): Html {
  const key = `${lat},${lng}`;
  const cached = regions.get(key) ?? drawRegion(lat, lng);
  regions.set(key, cached);
  return cached;
}

function drawRegion(lat: number, lng: number): Html {
  const scaleX = SCALE_Y * Math.max(Math.cos((lat * Math.PI) / 180), 0.1);
  const reach = (WIDTH / 2 + MARGIN) / scaleX;
  const shapes = [-360, 0, 360].flatMap((turn) =>
    nearby(lng - turn, lat, reach).map(({ points }) =>
      clip(
        points.map(([x, y]) => [WIDTH / 2 + (x + turn - lng) * scaleX, HEIGHT / 2 - (y - lat) * SCALE_Y]),
        FRAME,
      ),
    ),
  );
  const bar = Math.round((BAR_KM / KM_PER_DEGREE) * SCALE_Y);
  return raw(
    `<path class="land" d="${closedPath(shapes)}"/>` +
      `<g class="dot" transform="translate(${WIDTH / 2} ${HEIGHT / 2})"><circle r="8"/><path d="M0 0h0"/><path d="M0 0h0"/></g>` +
      `<path class="scale" d="M16 ${HEIGHT - 22}v6h${bar}v-6"/><text x="${24 + bar}" y="${HEIGHT - 15}">${BAR_KM} km</text>`,
  );
}

function nearby(lng: number, lat: number, reach: number): Coast[] {
  return coasts().filter(
    ({ west, east, south, north }) =>
      west < lng + reach && east > lng - reach && south < lat + SPAN_LAT && north > lat - SPAN_LAT,
  );
}
