import { METRES_PER_DEGREE, type Point } from '../../../../core/geo.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { DuplicatePlace } from '../../../../submissions/review/review-reading.ts';

const SIZE = 360;
const MARGIN = 32;
/** Radius in metres within which a place with a similar name counts as a duplicate; drawn as a ring. */
const RING_M = 150;
const BAR_LENGTHS_M = [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20];
const BAR_MAX = 120;

/**
 * Draws the submission and its possible duplicates, north up. At this scale a coastline would be a straight line, so
 * there is none; the ring and the scale bar show distances.
 */
export function duplicatesMap(centre: Point, duplicates: readonly DuplicatePlace[]): Html {
  // Duplicates without a position appear only in the list, which uses the same numbers.
  const placed = duplicates.flatMap(({ lat, lng, ...place }, index) =>
    lat === null || lng === null ? [] : [{ place, number: index + 1, at: offset(centre, { lat, lng }) }],
  );
  const spots = placed.map(({ at }) => at);
  const radius = Math.max(RING_M * 1.2, ...spots.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y))));
  const scale = (SIZE / 2 - MARGIN) / radius;
  const middle = SIZE / 2;
  const bar = BAR_LENGTHS_M.find((metres) => metres * scale <= BAR_MAX) ?? 20;
  return html`<figure class="map near-map">
    <svg
      viewBox="0 0 ${SIZE} ${SIZE}"
      role="group"
      aria-label="The submission in the middle and possible duplicates around it"
    >
      <circle class="ring" cx="${middle}" cy="${middle}" r="${(RING_M * scale).toFixed(1)}" />
      <path class="grid" d="M${middle} 0V${SIZE}M0 ${middle}H${SIZE}" />
      <g class="here" transform="translate(${middle} ${middle})">
        <circle r="19" />
        <title>This submission</title>
      </g>
      ${placed.map(({ place, number, at }) => spot(place, number, at, scale))}
      <path class="scale" d="M16 ${SIZE - 22}v6h${(bar * scale).toFixed(0)}v-6" />
      <text x="${(26 + bar * scale).toFixed(0)}" y="${SIZE - 14}">
        ${bar < 1000 ? `${bar} m` : `${bar / 1000} km`}
      </text>
    </svg>
    <figcaption>
      North is up. The thick ring is the submission, the dashed one ${RING_M} m around it.
    </figcaption>
  </figure>`;
}

function spot(
  place: Pick<DuplicatePlace, 'placeId' | 'name'>,
  number: number,
  [x, y]: [number, number],
  scale: number,
): Html {
  const middle = SIZE / 2;
  return html`<a href="${safeHref(`/p/${place.placeId}`)}" aria-label="${`${number}: ${place.name}`}">
    <g
      class="spot"
      transform="translate(${(middle + x * scale).toFixed(1)} ${(middle - y * scale).toFixed(1)})"
      ><circle r="13" /><text y="5">${number}</text></g
    >
  </a>`;
}

/** Returns the offset in metres to the east and to the north. */
function offset(centre: Point, { lat, lng }: Point): [number, number] {
  const lngDelta = ((lng - centre.lng + 540) % 360) - 180;
  const east = lngDelta * METRES_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
  return [east, (lat - centre.lat) * METRES_PER_DEGREE];
}
