// The street map: draws vector tiles of this service on Leaflet, in the colours of the stylesheet. A figure with a point
// becomes a map of the streets around it; the results map uses the same layer.

const POINT_ZOOM = 17;
const ZOOM_MAX = 19;
/** In degrees, less than a tile of the zoom at which archives have land and sea around their streets. */
const AROUND = 0.08;
const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;
const GREEN = [
  'park garden nature_reserve national_park protected_area forest wood scrub grassland grass meadow cemetery',
  'golf_course recreation_ground village_green allotments orchard vineyard playground zoo pitch dog_park',
]
  .join(' ')
  .split(' ');
const STONE = ['pedestrian', 'pier', 'dam'];
const CAMPUS = ['school', 'university', 'college', 'hospital'];
const WORKS = ['industrial', 'commercial', 'railway', 'quarry', 'military', 'aerodrome', 'parking'];
const SAND = ['beach', 'sand', 'bare_rock'];

const isKind =
  (kinds) =>
  (_zoom, { props }) =>
    kinds.includes(props.kind);

/** Reads the colours of the map from the stylesheet; they differ between light and dark. */
function readColours(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--map-${name}`).trim();
  const names = [
    'land',
    'water',
    'park',
    'stone',
    'campus',
    'works',
    'sand',
    'building',
    'building-edge',
    'road',
  ];
  names.push('road-edge', 'path', 'rail', 'border', 'name', 'name-water', 'name-park', 'halo');
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** Widths of roads in pixels at some zooms, the widest class first. */
const WIDTHS = {
  highway: [
    [5, 0.7],
    [9, 1.6],
    [13, 4.5],
    [16, 13],
    [19, 40],
  ],
  primary: [
    [7, 0.5],
    [11, 1.6],
    [14, 5],
    [16, 12],
    [19, 38],
  ],
  tertiary: [
    [10, 0.5],
    [13, 2.4],
    [15, 6],
    [16, 10],
    [19, 32],
  ],
  minor: [
    [12, 0.5],
    [14, 2.6],
    [15, 4.5],
    [16, 8],
    [19, 28],
  ],
  service: [
    [13, 0.4],
    [15, 2],
    [17, 6],
    [19, 13],
  ],
};

function roadClass({ kind, kind_detail: detail }) {
  if (kind === 'highway') return 'highway';
  if (kind === 'major_road') return detail === 'tertiary' ? 'tertiary' : 'primary';
  if (detail === 'pedestrian') return 'minor';
  if (kind === 'minor_road') return detail === 'service' ? 'service' : 'minor';
  return undefined;
}

function paintRules(P, colour) {
  const fill = (dataLayer, filter, color, more = {}) => ({
    dataLayer,
    filter,
    ...more,
    symbolizer: new P.PolygonSymbolizer({ fill: color }),
  });
  const line = (dataLayer, filter, options, more = {}) => ({
    dataLayer,
    filter,
    ...more,
    symbolizer: new P.LineSymbolizer({ lineCap: 'round', lineJoin: 'round', ...options }),
  });
  const isArea = (_zoom, { geomType }) => geomType === P.GeomType.Polygon;
  const isLand = (kinds) => (zoom, feature) => isArea(zoom, feature) && kinds.includes(feature.props.kind);
  const classes = Object.keys(WIDTHS).reverse();
  const width =
    (name, extra = 0) =>
    (zoom) =>
      P.exp(1.5, WIDTHS[name])(zoom) + extra;
  const isRoad =
    (name, isTunnel) =>
    (_zoom, { props }) =>
      roadClass(props) === name && Boolean(props.is_tunnel) === isTunnel && !props.is_bridge;
  const isBridge =
    (name) =>
    (_zoom, { props }) =>
      roadClass(props) === name && Boolean(props.is_bridge);
  const casings = (filterOf) =>
    classes.map((name) =>
      line('roads', filterOf(name), { color: colour['road-edge'], width: width(name, 1.6) }),
    );
  const fills = (filterOf) =>
    classes.map((name) => line('roads', filterOf(name), { color: colour.road, width: width(name) }));
  return [
    fill('water', (zoom, feature) => isArea(zoom, feature) && feature.props.kind === 'ocean', colour.water),
    fill('earth', isArea, colour.land),
    fill('landuse', isLand(WORKS), colour.works, { minzoom: 13 }),
    fill('landuse', isLand(CAMPUS), colour.campus, { minzoom: 13 }),
    fill('landuse', isLand(GREEN), colour.park),
    fill('landuse', isLand(SAND), colour.sand),
    line('water', (_zoom, { props, geomType }) => geomType === P.GeomType.Line && props.kind === 'river', {
      color: colour.water,
      width: P.exp(1.6, [
        [9, 0.8],
        [13, 2.5],
        [18, 12],
      ]),
    }),
    line('water', (_zoom, { props, geomType }) => geomType === P.GeomType.Line && props.kind !== 'river', {
      color: colour.water,
      width: P.exp(1.6, [
        [12, 0.5],
        [15, 1.4],
        [18, 5],
      ]),
    }),
    fill('water', (zoom, feature) => isArea(zoom, feature) && feature.props.kind !== 'ocean', colour.water),
    fill('landuse', isLand(STONE), colour.stone),
    line('roads', (_zoom, { props }) => props.kind_detail === 'pier', { color: colour.stone, width: 3 }),
    line('roads', isKind(['aeroway']), {
      color: colour.stone,
      width: P.exp(1.6, [
        [10, 1],
        [14, 8],
        [18, 60],
      ]),
    }),
    {
      dataLayer: 'buildings',
      filter: isArea,
      minzoom: 14,
      symbolizer: new P.PolygonSymbolizer({
        fill: colour.building,
        stroke: colour['building-edge'],
        width: (zoom) => (zoom >= 16 ? 0.7 : 0),
      }),
    },
    // Roads in tunnels show through as a pale band.
    ...classes.map((name) =>
      line(
        'roads',
        isRoad(name, true),
        { color: colour['road-edge'], width: width(name), opacity: 0.4, lineCap: 'butt' },
        { minzoom: 14 },
      ),
    ),
    line(
      'roads',
      (_zoom, { props }) =>
        props.kind === 'path' && !['pedestrian', 'pier', 'corridor'].includes(props.kind_detail),
      { color: colour.path, width: 1, dash: [3, 2], lineCap: 'butt' },
      { minzoom: 16 },
    ),
    ...casings((name) => isRoad(name, false)),
    ...fills((name) => isRoad(name, false)),
    line('roads', (_zoom, { props }) => props.kind === 'rail' && !props.is_tunnel, {
      color: colour.rail,
      width: 1.2,
    }),
    line('roads', isKind(['ferry', 'aerialway']), { color: colour.rail, width: 0.8, dash: [6, 4] }),
    ...casings(isBridge),
    ...fills(isBridge),
    line('boundaries', isKind(['country']), { color: colour.border, width: 1.4, dash: [6, 3, 1, 3] }),
    line(
      'boundaries',
      isKind(['region']),
      { color: colour.border, width: 0.8, dash: [4, 3] },
      { maxzoom: 12 },
    ),
  ];
}

/** Returns in which properties the name of a thing is looked up, the best one for this reader first. */
function nameProperties(languages) {
  const own = languages.flatMap((tag) => [`name:${tag}`, `name:${tag.split('-')[0]}`]);
  const readsLatin =
    languages.length === 0 ||
    LATIN.test(new Intl.DisplayNames(languages[0], { type: 'language' }).of(languages[0]));
  return (_zoom, feature) =>
    readsLatin && !LATIN.test(feature?.props.name ?? '') ? [...own, 'name:en', 'name'] : [...own, 'name'];
}

function labelRules(P, colour, labelProps, family) {
  const halo = { stroke: colour.halo };
  const text = (options) =>
    new P.CenteredTextSymbolizer({ labelProps, width: 1.4, lineHeight: 1.3, ...halo, ...options });
  const along = (fontSize, fill, more = {}) =>
    new P.LineLabelSymbolizer({
      ...{ labelProps, fill, ...halo, width: 3, position: 2, maxLabelChars: 60, repeatDistance: 320 },
      ...{ font: (zoom) => `500 ${fontSize(zoom)}px ${family.text}`, ...more },
    });
  const isPlace =
    (...details) =>
    (_zoom, { props }) =>
      details.includes(props.kind_detail);
  const isRoadOf =
    (...names) =>
    (_zoom, { props }) =>
      names.includes(roadClass(props)) && !props.is_tunnel;
  const size = (from, to, low, high) =>
    P.linear([
      [from, low],
      [to, high],
    ]);
  const display = (weight, sizeOf) => (zoom) => `${weight} ${Math.round(sizeOf(zoom))}px ${family.display}`;
  return [
    {
      dataLayer: 'places',
      filter: isPlace('country'),
      maxzoom: 8,
      symbolizer: text({ fill: colour.name, font: display(650, size(3, 8, 12, 18)) }),
    },
    {
      dataLayer: 'places',
      filter: isPlace('city'),
      maxzoom: 14,
      symbolizer: text({ fill: colour.name, font: display(650, size(6, 13, 13, 22)) }),
    },
    {
      dataLayer: 'places',
      filter: isPlace('town'),
      minzoom: 9,
      maxzoom: 15,
      symbolizer: text({ fill: colour.name, font: display(600, size(9, 15, 12, 19)) }),
    },
    {
      dataLayer: 'places',
      filter: isPlace('village', 'hamlet'),
      minzoom: 11,
      maxzoom: 16,
      symbolizer: text({ fill: colour.name, font: display(550, size(11, 16, 11, 16)) }),
    },
    {
      ...{ dataLayer: 'places', minzoom: 13, maxzoom: 16 },
      filter: isPlace('suburb', 'quarter', 'neighbourhood', 'borough'),
      symbolizer: text({
        fill: colour.name,
        letterSpacing: 1,
        textTransform: 'uppercase',
        font: display(600, size(13, 16, 11, 13)),
      }),
    },
    {
      dataLayer: 'roads',
      minzoom: 13,
      filter: isRoadOf('highway', 'primary'),
      symbolizer: along((zoom) => (zoom < 16 ? 11 : 13), colour.name),
    },
    {
      dataLayer: 'roads',
      minzoom: 14,
      filter: isRoadOf('tertiary'),
      symbolizer: along((zoom) => (zoom < 16 ? 11 : 13), colour.name),
    },
    {
      dataLayer: 'roads',
      minzoom: 15,
      filter: isRoadOf('minor'),
      symbolizer: along((zoom) => (zoom < 17 ? 11 : 12), colour.name),
    },
    {
      ...{ dataLayer: 'water', minzoom: 13 },
      filter: (_zoom, { geomType }) => geomType === P.GeomType.Point,
      symbolizer: text({ fill: colour['name-water'], font: `italic 500 12px ${family.text}` }),
    },
    {
      ...{ dataLayer: 'water', minzoom: 13 },
      filter: (_zoom, { geomType }) => geomType === P.GeomType.Line,
      symbolizer: along(() => 11, colour['name-water']),
    },
    {
      ...{ dataLayer: 'pois', minzoom: 15 },
      filter: isKind([
        'park',
        'garden',
        'cemetery',
        'nature_reserve',
        'golf_course',
        'beach',
        'zoo',
        'forest',
      ]),
      symbolizer: text({ fill: colour['name-park'], font: `500 11px ${family.text}` }),
    },
    {
      ...{ dataLayer: 'pois', minzoom: 14 },
      filter: isKind([
        'station',
        'halt',
        'aerodrome',
        'hospital',
        'ferry_terminal',
        'university',
        'stadium',
        'peak',
      ]),
      symbolizer: text({ fill: colour.name, font: `600 11px ${family.text}` }),
    },
    {
      ...{ dataLayer: 'pois', minzoom: 16 },
      filter: isKind([
        'museum',
        'castle',
        'townhall',
        'theatre',
        'attraction',
        'square',
        'place_of_worship',
        'marina',
      ]),
      symbolizer: text({ fill: colour.name, font: `500 11px ${family.text}` }),
    },
    {
      dataLayer: 'roads',
      minzoom: 17,
      filter: isRoadOf('service'),
      symbolizer: along(() => 11, colour.name),
    },
    {
      ...{ dataLayer: 'buildings', minzoom: 17 },
      filter: isKind(['address']),
      symbolizer: new P.CenteredTextSymbolizer({
        ...{
          labelProps: ['addr_housenumber'],
          fill: colour.name,
          ...halo,
          width: 1,
          font: `500 10px ${family.text}`,
        },
      }),
    },
  ];
}

/** Adds the streets to a map and returns the layer, which follows changes between light and dark. */
export async function addStreets(map, figure) {
  const { default: P } = await import(figure.dataset.renderer);
  const { L } = globalThis;
  const style = getComputedStyle(figure);
  const family = { display: style.getPropertyValue('--display'), text: style.getPropertyValue('--text') };
  const languages = (figure.dataset.languages ?? '').split(',').filter((tag) => tag !== '');
  const rules = () => {
    const colour = readColours(figure);
    return {
      paintRules: paintRules(P, colour),
      labelRules: labelRules(P, colour, nameProperties(languages), family),
    };
  };
  const [south, west, north, east] = figure.dataset.streetBounds.split(',').map(Number);
  const layer = P.leafletLayer({
    url: figure.dataset.streets,
    maxDataZoom: Number(figure.dataset.streetZoom),
    // Land and sea go on around what an archive covers.
    bounds: L.latLngBounds([south - AROUND, west - AROUND], [north + AROUND, east + AROUND]),
    attribution: '',
    ...rules(),
  });
  layer.addTo(map);
  const recolour = () => {
    Object.assign(layer, rules());
    layer.clearLayout();
    layer.rerenderTiles();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  // The view of a host follows the host's theme instead.
  new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  addAttribution(figure);
  return layer;
}

/** Always visible, in the corner. The text comes from the archive, so it is only ever set as text. */
function addAttribution(figure) {
  const stage = figure.querySelector('.stage');
  const link = document.createElement('a');
  link.className = 'map-source';
  link.href = 'https://www.openstreetmap.org/copyright';
  link.rel = 'noopener';
  link.textContent = figure.dataset.attribution;
  stage.append(link);
}

export function loadStyle(href) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  });
}

/** Calls back once the element comes near the window; not at all for visitors who asked their browser to save data. */
function whenNear(element, load) {
  if (navigator.connection?.saveData) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load();
    },
    { rootMargin: '200px' },
  );
  observer.observe(element);
}

export const leafletOptions = () => {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    ...{ attributionControl: false, scrollWheelZoom: false },
    ...{ zoomAnimation: !isCalm, fadeAnimation: !isCalm, inertia: !isCalm },
  };
};

/** What a map needs that is a picture only. */
const STILL = Object.fromEntries(
  ['dragging', 'keyboard', 'zoomControl', 'doubleClickZoom', 'touchZoom', 'boxZoom'].map((name) => [
    name,
    false,
  ]),
);

/** The earlier position, as a hollow pin, with a line to the new one. */
function showBefore(map, before, point) {
  const { L } = globalThis;
  const face = document.createElement('span');
  const icon = L.divIcon({ html: face, className: 'pin before', iconSize: [44, 44] });
  L.polyline([before, point], { className: 'pin-path', interactive: false }).addTo(map);
  L.marker(before, { icon, interactive: false, keyboard: false }).addTo(map);
  map.fitBounds(L.latLngBounds([before, point]), { padding: [48, 48], maxZoom: POINT_ZOOM, animate: false });
}

/** Shows the streets around one point, or those of a town as a picture. */
async function showPoint(figure) {
  const { dataset } = figure;
  await Promise.all([import(dataset.script), loadStyle(dataset.style)]);
  const { L } = globalThis;
  const stage = figure.querySelector('.stage');
  const isTown = dataset.zoom !== undefined;
  const isPicture = isTown || 'still' in dataset;
  const canvas = document.createElement('div');
  canvas.className = 'canvas';
  if (!isPicture) {
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', stage.getAttribute('aria-label') ?? '');
  }
  stage.append(canvas);
  const [lat, lng] = dataset.point.split(',').map(Number);
  const map = L.map(canvas, {
    ...{ ...leafletOptions(), maxZoom: ZOOM_MAX, minZoom: 10 },
    ...(isPicture && STILL),
  });
  map.setView([lat, lng], Number(dataset.zoom ?? POINT_ZOOM));
  if (!isTown) {
    const face = document.createElement('span');
    const icon = L.divIcon({ html: face, className: 'pin chosen', iconSize: [44, 44] });
    L.marker([lat, lng], { icon, interactive: false, keyboard: false }).addTo(map);
    if (dataset.before !== undefined) showBefore(map, dataset.before.split(',').map(Number), [lat, lng]);
    if (!isPicture) L.control.scale({ imperial: false }).addTo(map);
  }
  await addStreets(map, figure);
  figure.classList.add('moving');
}

for (const figure of document.querySelectorAll('.street-map[data-point]'))
  whenNear(figure, () => {
    showPoint(figure).catch(() => figure.querySelector('.canvas')?.remove());
  });
