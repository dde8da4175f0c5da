// The results map begins as a static picture. The interactive map replaces it when it comes near the window, with the
// streets where this service has them.

/** Least distances of marks in pixels: of two with a number, of one with and one without, of two without. */
const GAP = { numbered: 34, mixed: 26, dots: 20 };
const PIN = 44;
/** Of so many results at each end, one far away does not make the first view small. */
const OUTLYING = 0.05;
const RESULTS_MIN = 5;
/** How much larger the view with all results may be than the one without the outlying ones. */
const WIDER_MAX = 1.5;
const ZOOM_STEPS = 6;
const NAMED_MAX = 12;
const STREET_ZOOM_MAX = 19;

const figure = document.querySelector('.results-map');
const stage = figure?.querySelector('.stage');
const hasStreets = figure?.dataset.streets !== undefined;
/** On a phone a card at the lower edge of the map shows what a pin stands for. */
const isNarrow = matchMedia('(max-width: 63.99rem)');
const listed = [...document.querySelectorAll('.places [data-place]')];
/** Positions in the list, which the pins repeat. */
const numbers = new Map(listed.map((item, at) => [item.dataset.place, at + 1]));
const points = JSON.parse(document.querySelector('script[type="application/json"]')?.textContent ?? '[]');

/**
 * Groups points into marks that do not cover each other. A numbered mark is where the place of this number is, and stands
 * for that place; others that it would cover join it until the map is larger.
 */
function clustersOf(map) {
  const orderOf = ([, , , id]) => numbers.get(id) ?? Infinity;
  const marks = [];
  for (const point of points.toSorted((a, b) => Math.min(orderOf(a), 1e9) - Math.min(orderOf(b), 1e9))) {
    const at = map.project([point[0], point[1]]);
    const isListed = numbers.has(point[3]);
    const mark = marks.find(
      (other) => at.distanceTo(other.at) < (isListed ? GAP.numbered : other.isListed ? GAP.mixed : GAP.dots),
    );
    if (mark === undefined) marks.push({ at, isListed, members: [point] });
    else mark.members.push(point);
  }
  return marks.map(({ members }) => members);
}

/** Names are untrusted, so they are only ever set as text. */
function linkTo([, , name, id, kind]) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const words = document.createElement('bdi');
  words.textContent = name;
  link.href = `/p/${encodeURIComponent(id)}`;
  link.append(words);
  const note = document.createElement('span');
  note.textContent = kind;
  item.append(link, note);
  return item;
}

function popupOf(members) {
  const list = document.createElement('ul');
  list.append(...members.slice(0, NAMED_MAX).map(linkTo));
  return list;
}

/** Calls back when a mark is chosen by pointer or keyboard. */
function onActivate(marker, run) {
  marker.on('click', run);
  marker.on('keydown', (event) => {
    if (event.originalEvent.key !== 'Enter' && event.originalEvent.key !== ' ') return;
    event.originalEvent.preventDefault();
    run(event);
  });
}

/** Opens a cluster. Focus stays on the map when the marks are redrawn. */
function openOnActivate(map, marker, box) {
  onActivate(marker, ({ type }) => {
    if (type === 'keydown') map.getContainer().focus({ preventScroll: true });
    map.fitBounds(box, { padding: [PIN, PIN] });
  });
}

/** The entry of a place as in the list, or a shorter one for a place on another page of it. */
function entryOf(point) {
  const [, , , id] = point;
  const item = listed[(numbers.get(id) ?? 0) - 1]?.cloneNode(true);
  if (item !== undefined) {
    item.removeAttribute('data-place');
    item.classList.remove('near', 'chosen');
    return item;
  }
  const entry = linkTo(point);
  const words = document.createElement('div');
  const name = document.createElement('h3');
  name.append(entry.querySelector('a'));
  entry.querySelector('span').className = 'soft';
  words.append(name, ...entry.childNodes);
  entry.className = 'place';
  entry.append(words);
  return entry;
}

/** Adds the card of a phone, closed by its button, the Escape key and a tap on the map. */
function addCard(map, searchHere) {
  const card = document.createElement('div');
  card.className = 'map-card';
  card.hidden = true;
  card.setAttribute('role', 'region');
  card.setAttribute('aria-label', 'The chosen place');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'close';
  button.setAttribute('aria-label', 'Close');
  button.textContent = '×';
  const list = document.createElement('ol');
  list.className = 'places';
  card.append(button, list);
  let source;
  const close = () => {
    if (card.hidden) return;
    const hadFocus = card.contains(document.activeElement);
    card.hidden = true;
    choose([]);
    if (hadFocus) source?.getElement()?.focus({ preventScroll: true });
  };
  button.addEventListener('click', close);
  stage.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  map.on('click', close);
  stage.append(card);
  return {
    close,
    open(members, marker) {
      source = marker;
      list.replaceChildren(...members.slice(0, NAMED_MAX).map(entryOf));
      card.hidden = false;
      list.scrollTop = 0;
      choose(
        members.map(([, , , id]) => id),
        marker,
      );
      // A pin below the card would be hidden by it.
      const { y } = map.latLngToContainerPoint(marker.getLatLng());
      const free = card.offsetTop - PIN;
      const isMoved = !searchHere.hidden;
      if (y > free) map.panBy([0, y - free], { animate: false });
      searchHere.hidden = !isMoved;
      list.querySelector('a')?.focus({ preventScroll: true });
    },
  };
}

function markOf(map, members, marks, card) {
  const { L } = globalThis;
  const face = document.createElement('span');
  // A number means one place. A mark for several without a number is a larger dot.
  const [[lat, lng, name, id]] = members;
  const number = numbers.get(id);
  const isMany = members.length > 1;
  face.textContent = number === undefined ? '' : String(number);
  face.dataset.places = String(members.length);
  const kind = `${isMany ? ' many' : ''}${number === undefined ? '' : ' numbered'}`;
  const icon = L.divIcon({ html: face, className: `pin${kind}`, iconSize: [PIN, PIN] });
  const title = !isMany
    ? name
    : number === undefined
      ? `${members.length} places`
      : `${name} and ${members.length - 1} more`;
  const zIndexOffset = number === undefined ? 0 : 500 - number;
  const marker = L.marker([lat, lng], { icon, title, zIndexOffset });
  const box = L.latLngBounds(members.map(([lat, lng]) => [lat, lng]));
  if (members.length > 1 && map.getBoundsZoom(box) > map.getZoom() && map.getZoom() < map.getMaxZoom())
    openOnActivate(map, marker, box);
  else if (isNarrow.matches) onActivate(marker, () => card.open(members, marker));
  else marker.bindPopup(popupOf(members), { maxWidth: 240, autoPanPaddingTopLeft: [64, 8] });
  for (const [, , , id] of members) marks.set(id, marker);
  linkToList(marker, members);
  return marker;
}

/** Marks the list's entry while its pin has the pointer or the focus, and shows the entry of a chosen pin. */
function linkToList(marker, members) {
  const items = members.flatMap(([, , , id]) => listed[(numbers.get(id) ?? 0) - 1] ?? []);
  const mark = (isNear) => items.forEach((item) => item.classList.toggle('near', isNear));
  marker.on('mouseover', () => mark(true));
  marker.on('mouseout', () => mark(false));
  marker.on('add', () => {
    const element = marker.getElement();
    element?.addEventListener('focus', () => mark(true));
    element?.addEventListener('blur', () => mark(false));
  });
  marker.on('popupopen', () =>
    choose(
      members.map(([, , , id]) => id),
      marker,
    ),
  );
  marker.on('popupclose', () => choose([]));
}

/** The chosen pin is yellow with a black ring, and its entry in the list is marked. */
function choose(ids, marker) {
  figure.querySelectorAll('.pin.chosen').forEach((pin) => pin.classList.remove('chosen'));
  marker?.getElement()?.classList.add('chosen');
  for (const item of listed) item.classList.toggle('chosen', ids.includes(item.dataset.place));
}

/** The point around which the visitor searches: a ring. */
function showNear(map, near) {
  const { L } = globalThis;
  const icon = L.divIcon({
    html: document.createElement('span'),
    className: 'near-point',
    iconSize: [28, 28],
  });
  L.marker(near, { icon, interactive: false, keyboard: false, zIndexOffset: 400 }).addTo(map);
}

/** Where a label may stand: the steps from its point, in its own heights and half widths. */
const LABEL_STEPS = [
  ...[
    [0, -1.1],
    [0, 1.1],
    [0, -1.8],
    [0, 1.8],
    [0, -2.6],
    [0, 2.6],
  ],
  ...[
    [1.3, 0],
    [-1.3, 0],
    [1.3, -1.2],
    [-1.3, -1.2],
    [1.3, 1.2],
    [-1.3, 1.2],
  ],
];
const LABEL = { height: 26, perLetter: 8, padding: 20 };
/** A pin with a number as it is seen, and a dot. */
const FACE = { numbered: 28, dot: 12 };

/** Draws the name of the searched point, and those of areas where the map has no streets, where they cover fewest pins. */
function drawLabels(map, layer, clusters, near) {
  const { L } = globalThis;
  const areas = JSON.parse(figure.dataset.areas ?? '[]');
  const labels = [
    ...(near === undefined ? [] : [{ text: figure.dataset.nearName, at: near, className: 'near-name' }]),
    ...areas.map(([text, lat, lng]) => ({ text, at: [lat, lng], className: 'area-name' })),
  ];
  const boxOf = ({ x, y }, width, height) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const overlap = (one, other) =>
    Math.max(0, Math.min(one[2], other[2]) - Math.max(one[0], other[0])) *
    Math.max(0, Math.min(one[3], other[3]) - Math.max(one[1], other[1]));
  const pins = clusters.map(([[lat, lng, , id]]) => {
    const side = numbers.has(id) ? FACE.numbered : FACE.dot;
    return boxOf(map.project([lat, lng]), side, side);
  });
  const taken = [];
  for (const { text, at, className } of labels) {
    const width = text.length * LABEL.perLetter + LABEL.padding;
    const point = map.project(at);
    const free = (className === 'near-name' ? LABEL_STEPS : [[0, 0], ...LABEL_STEPS])
      .map(([dx, dy]) => {
        const offset = [(dx * width) / 2, dy * LABEL.height];
        const box = boxOf({ x: point.x + offset[0], y: point.y + offset[1] }, width, LABEL.height);
        const covered = pins.reduce((sum, pin) => sum + overlap(box, pin), 0);
        return { offset, box, covered };
      })
      .filter(({ box }) => taken.every((other) => overlap(box, other) === 0));
    if (free.length === 0) continue;
    const best = free.reduce((least, one) => (one.covered < least.covered ? one : least));
    taken.push(best.box);
    const name = document.createElement('bdi');
    name.textContent = text;
    const icon = L.divIcon({
      ...{ html: name, className, iconSize: [width, LABEL.height] },
      iconAnchor: [width / 2 - best.offset[0], LABEL.height / 2 - best.offset[1]],
    });
    // The searched point's name is never covered; a tap goes through it to the pin.
    const pane = className === 'near-name' ? 'tooltipPane' : 'shadowPane';
    layer.addLayer(L.marker(at, { icon, pane, interactive: false, keyboard: false }));
  }
}

/** Returns the corners of a view of the results: without the outlying ones, if these would make it much larger. */
function viewOf(corners) {
  if (corners.length < RESULTS_MIN) return corners;
  const left = Math.max(1, Math.floor(corners.length * OUTLYING));
  const [all, most] = [0, left].map((drop) =>
    [0, 1].map((axis) => {
      const sorted = corners.map((corner) => corner[axis]).sort((a, b) => a - b);
      return [sorted[drop], sorted[sorted.length - 1 - drop]];
    }),
  );
  const isWider = all.some(
    ([low, high], axis) => high - low > WIDER_MAX * Math.max(most[axis][1] - most[axis][0], 1e-4),
  );
  const [[south, north], [west, east]] = isWider ? most : all;
  return [
    [south, west],
    [north, east],
  ];
}

/** After the visitor has moved the map, a button searches the part that it shows. */
function offerSearch(map) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button search-here';
  button.textContent = 'Search this area';
  button.hidden = true;
  button.addEventListener('click', () => {
    const box = map.getBounds();
    const sides = [box.getSouth(), box.getWest(), box.getNorth(), box.getEast()];
    const query = new URLSearchParams(location.search);
    for (const name of ['cursor', 'page', 'near', 'area']) query.delete(name);
    query.set('map', sides.map((degrees) => degrees.toFixed(5)).join());
    location.search = query.toString();
  });
  // Leaflet reports these also for moves that a script makes, such as the opening of a cluster.
  map.on('movestart', () => (button.hidden = false));
  stage.append(button);
  return button;
}

/** On a phone the button over the list shows the map instead of it, and back. */
function addSwitch(link) {
  const results = document.querySelector('.results');
  const words = link.textContent;
  link.setAttribute('role', 'button');
  const show = async (event) => {
    event.preventDefault();
    const isMap = results.classList.toggle('on-map');
    link.textContent = isMap ? 'List' : words;
    if (!isMap) return;
    stage.scrollIntoView();
    const map = await loadMap();
    map?.resize();
  };
  link.addEventListener('click', show);
  link.addEventListener('keydown', (event) => {
    if (event.key === ' ') show(event);
  });
}

async function build() {
  const { L } = globalThis;
  const [south, west, north, east] = figure.dataset.bounds.split(',').map(Number);
  const bounds = L.latLngBounds([south, west], [north, east]);
  const canvas = document.createElement('div');
  canvas.className = 'canvas';
  stage.append(canvas);
  const { addStreets, leafletOptions } = await import(figure.dataset.streetScript);
  const map = L.map(canvas, {
    ...leafletOptions(),
    // Tiles are sharp at whole zooms only, unless the screen is finer than they need.
    zoomSnap: hasStreets && devicePixelRatio < 2 ? 1 : 0.5,
    maxBounds: bounds.pad(0.25),
  }).fitBounds(bounds);
  map.setMinZoom(map.getZoom());
  map.setMaxZoom(hasStreets ? STREET_ZOOM_MAX : map.getZoom() + ZOOM_STEPS);
  // Streets have their own coast. Beside them the simplified one would show as patches.
  if (!hasStreets) L.svgOverlay(stage.querySelector('.ground').cloneNode(true), bounds).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  const near = figure.dataset.near?.split(',').map(Number);
  if (near !== undefined) showNear(map, near);
  // A search is shown by the places on this page of the list, everything by all of them.
  const isSearch = location.search !== '';
  const shown = isSearch ? points.filter(([, , , id]) => numbers.has(id)) : points;
  const corners = viewOf((shown.length > 0 ? shown : points).map(([lat, lng]) => [lat, lng]));
  if (near !== undefined) corners.push(near);
  const part = figure.dataset.part?.split(',').map(Number);
  const searchHere = offerSearch(map);
  // Not animated: marks redrawn by an animation would take the focus from a visitor who is already among them.
  const fit = () => {
    if (part !== undefined) {
      const [low, left, high, right] = part;
      // A little smaller, so that rounded degrees do not lead to the next zoom out.
      const box = L.latLngBounds([low, left], [high, right]).pad(-0.02);
      map.fitBounds(box, { animate: false });
    } else if (corners.length > 0)
      map.fitBounds(L.latLngBounds(corners), {
        padding: isNarrow.matches ? [PIN / 2, PIN] : [PIN, PIN],
        maxZoom: STREET_ZOOM_MAX - 2,
        animate: false,
      });
    searchHere.hidden = true;
  };
  fit();
  const layer = L.layerGroup().addTo(map);
  const marks = new Map();
  const card = addCard(map, searchHere);
  const draw = () => {
    card.close();
    layer.clearLayers();
    marks.clear();
    const clusters = clustersOf(map);
    for (const members of clusters) layer.addLayer(markOf(map, members, marks, card));
    drawLabels(map, layer, clusters, near);
  };
  map.on('zoomend', draw);
  isNarrow.addEventListener('change', draw);
  draw();
  if (hasStreets) await addStreets(map, figure);
  figure.classList.add('moving');
  for (const item of listed) {
    const mark = (near) => marks.get(item.dataset.place)?.getElement()?.classList.toggle('near', near);
    for (const type of ['mouseenter', 'focusin']) item.addEventListener(type, () => mark(true));
    for (const type of ['mouseleave', 'focusout']) item.addEventListener(type, () => mark(false));
  }
  return {
    /** Fits the results again if the map was built for another size. The view that a visitor has chosen stays. */
    resize() {
      const [before, isChosen] = [map.getSize(), !searchHere.hidden];
      map.invalidateSize({ pan: false });
      if (!isChosen && !map.getSize().equals(before)) fit();
    },
  };
}

let loading;
function loadMap() {
  loading ??= import(figure.dataset.streetScript)
    .then(({ loadStyle }) => Promise.all([import(figure.dataset.script), loadStyle(figure.dataset.style)]))
    .then(build)
    .catch(() => {
      // The static picture is shown again, and the next attempt begins anew.
      stage
        .querySelectorAll('.canvas, .search-here, .map-card, .map-source')
        .forEach((part) => part.remove());
      loading = undefined;
    });
  return loading;
}

if (stage) {
  const link = document.querySelector('.to-map a');
  if (link !== null) addSwitch(link);
  // Not with `whenNear` of the streets' script, which a phone loads with the map only.
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      loadMap();
    },
    { rootMargin: '200px' },
  );
  if (!navigator.connection?.saveData) observer.observe(stage);
}
