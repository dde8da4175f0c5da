import { html, type Html } from '../../../../core/text/html.ts';
import type { Languages } from '../../../../core/text/languages.ts';
import type { Point } from '../../../../core/geo.ts';
import type { DestinationExtent } from '../../../../directory/destinations.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { assetUrl } from '../../assets.ts';
import { tileUrlPattern } from './tile-route.ts';

/** Returns the attributes from which the script adds streets to a figure. */
export function streetAttributes(map: StreetMap, languages: Languages): Html {
  const { version, maxZoom, boxes, attribution } = map;
  const sides = [
    Math.min(...boxes.map(({ south }) => south)),
    Math.min(...boxes.map(({ west }) => west)),
    Math.max(...boxes.map(({ north }) => north)),
    Math.max(...boxes.map(({ east }) => east)),
  ];
  return html` data-script="${assetUrl('leaflet.js')}" data-style="${assetUrl('leaflet.css')}"
  data-renderer="${assetUrl('street-renderer.js')}" data-street-script="${assetUrl('street-map.js')}"
  data-streets="${tileUrlPattern(version)}" data-street-zoom="${maxZoom}" data-street-bounds="${sides.join()}"
  data-attribution="${attribution}" data-languages="${languages.join()}"`;
}

/** True when an archive covers the point. */
export function showsStreets(map: StreetMap | undefined, { lat, lng }: Point): map is StreetMap {
  return (
    map?.boxes.some(
      ({ south, west, north, east }) => lat >= south && lat <= north && lng >= west && lng <= east,
    ) === true
  );
}

/** Returns the street map if it covers the middle of a destination. */
export function streetsOf(
  map: StreetMap | undefined,
  { south, west, north, east }: DestinationExtent,
): StreetMap | undefined {
  const middle = { lat: (south + north) / 2, lng: (west + (east < west ? east + 360 : east)) / 2 };
  return showsStreets(map, middle) ? map : undefined;
}

interface PointMap {
  map: StreetMap;
  point: Point;
  /** Description of the map for people who do not see it. */
  label: string;
  languages?: Languages;
  /** An earlier position, shown as a hollow pin with a line to the point. */
  before?: Point | null;
  /** A small picture with its pin, which does not move. */
  still?: boolean;
  /** Shows a whole town at this zoom, as a picture without a pin. */
  zoom?: number;
  /** Picture for visitors without script. */
  fallback?: Html | false;
}

/**
 * Renders a map of the streets around one point. Any page can use it; the page also needs the script `street-map.js`.
 * Without script the fallback is shown, if there is one.
 */
export function pointMap({
  map,
  point,
  label,
  languages = [],
  before = null,
  still = false,
  zoom,
  fallback = false,
}: PointMap): Html {
  return html`<div
    class="map street-map"
    data-point="${point.lat},${point.lng}"
    ${before !== null && html` data-before="${before.lat},${before.lng}"`}
    ${still && html` data-still`}
    ${zoom !== undefined && html` data-zoom="${zoom}"`}
    ${streetAttributes(map, languages)}
  >
    <div class="${fallback === false ? 'stage bare' : 'stage'}" role="group" aria-label="${label}">
      ${fallback}
    </div>
  </div>`;
}

/** Texts of a pin editor. In `moved`, `{metres}` is replaced by the distance. */
interface PinTexts {
  pin: string;
  around: string;
  moved: string;
}

const PIN_TEXTS: PinTexts = {
  pin: 'The pin. Move it with the arrow keys.',
  around: 'The streets around the pin',
  moved: 'Moved {metres} m from where it was.',
};

/** A pin that its form moves: by dragging, with the arrow keys, or in the fields `lat` and `lng`. */
export function pinEditor(
  map: StreetMap,
  { lat, lng }: Point,
  hasPosition: boolean,
  { pin, around, moved }: PinTexts = PIN_TEXTS,
): Html {
  return html`<div
    class="map street-map pin-editor"
    data-pin="${lat},${lng}"
    data-title="${pin}"
    data-moved="${moved}"
    ${hasPosition && html` data-placed`}
    ${streetAttributes(map, [])}
  >
    <div class="stage bare" role="group" aria-label="${around}"></div>
    <p class="hint" role="status"></p>
  </div>`;
}
