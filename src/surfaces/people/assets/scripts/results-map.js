// The results map begins as a static picture. The interactive map replaces it when it comes near the window, with the
// streets where this service has them.

const CELL = 48;
const PIN = 44;
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

/** Groups points by the cells of a screen grid; each cell is one mark. */
function clustersOf(map) {
  const cells = new Map();
  for (const point of points) {
    const { x, y } = map.project([point[0], point[1]]);
    const key = `${Math.floor(x / CELL)}:${Math.floor(y / CELL)}`;
    cells.set(key, [...(cells.get(key) ?? []), point]);
  }
  return [...cells.values()];
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
  const [, , , id, , picture] = point;
  const item = listed[(numbers.get(id) ?? 0) - 1]?.cloneNode(true);
  if (item !== undefined) {
    item.removeAttribute('data-place');
    item.classList.remove('near', 'chosen');
    return item;
  }
  const entry = linkTo(point);
  const image = document.createElement('img');
  Object.assign(image, { className: 'thumb', src: picture, alt: '', width: 96, height: 72 });
  const words = document.createElement('div');
  const name = document.createElement('h3');
  name.append(entry.querySelector('a'));
  entry.querySelector('span').className = 'soft';
  words.append(name, ...entry.childNodes);
  entry.className = 'place';
  entry.append(image, words);
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
  const middle = members.reduce(([lat, lng], point) => [lat + point[0], lng + point[1]], [0, 0]);
  const face = document.createElement('span');
  // A mark shows the position of its best place in the list, or else how many places it stands for.
  const best = members.reduce((low, [, , , id]) => Math.min(low, numbers.get(id) ?? Infinity), Infinity);
  const isListed = best !== Infinity;
  face.textContent = isListed ? String(best) : members.length > 1 ? String(members.length) : '';
  if (isListed && members.length > 1) face.dataset.more = `+${members.length - 1}`;
  face.dataset.places = String(members.length);
  const kind = `${members.length > 1 ? ' many' : ''}${isListed ? ' numbered' : ''}`;
  const icon = L.divIcon({ html: face, className: `pin${kind}`, iconSize: [PIN, PIN] });
  const title = members.length > 1 ? `${members.length} places` : members[0][2];
  const zIndexOffset = isListed ? 500 - best : 0;
  const place = [middle[0] / members.length, middle[1] / members.length];
  const marker = L.marker(place, { icon, title, zIndexOffset });
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

/** The point around which the visitor searches: a ring, with its name. */
function showNear(map, near) {
  const { L } = globalThis;
  const icon = L.divIcon({
    html: document.createElement('span'),
    className: 'near-point',
    iconSize: [28, 28],
  });
  const name = document.createElement('bdi');
  name.textContent = figure.dataset.nearName;
  L.marker(near, { icon, interactive: false, keyboard: false, zIndexOffset: 400 })
    .addTo(map)
    .bindTooltip(name, {
      ...{ permanent: true, direction: 'top', offset: [0, -12], className: 'near-name' },
      // Below the pins, which are tapped.
      pane: 'shadowPane',
    });
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
  const corners = (shown.length > 0 ? shown : points).map(([lat, lng]) => [lat, lng]);
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
    for (const members of clustersOf(map)) layer.addLayer(markOf(map, members, marks, card));
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
  const { whenNear } = await import(figure.dataset.streetScript);
  whenNear(stage, loadMap);
}
