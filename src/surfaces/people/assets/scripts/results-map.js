// The results map is a static picture until the visitor interacts with it. Only then is the map library loaded, so that
// visitors who only read the list do not download it.

const CELL = 48;
const PIN = 44;
const ZOOM_STEPS = 6;
const NAMED_MAX = 12;

const figure = document.querySelector('.results-map');
const stage = figure?.querySelector('.stage');
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

/** Opens a cluster by keyboard as by pointer; focus stays on the map when the marks are redrawn. */
function openOnActivate(map, marker, box) {
  const open = () => map.fitBounds(box, { padding: [PIN, PIN] });
  marker.on('click', open);
  marker.on('keydown', ({ originalEvent }) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
    originalEvent.preventDefault();
    map.getContainer().focus({ preventScroll: true });
    open();
  });
}

function markOf(map, members, marks) {
  const { L } = globalThis;
  const middle = members.reduce(([lat, lng], point) => [lat + point[0], lng + point[1]], [0, 0]);
  const face = document.createElement('span');
  face.textContent = members.length > 1 ? String(members.length) : '';
  const icon = L.divIcon({
    html: face,
    className: members.length > 1 ? 'pin many' : 'pin',
    iconSize: [PIN, PIN],
  });
  const title = members.length > 1 ? `${members.length} places` : members[0][2];
  const marker = L.marker([middle[0] / members.length, middle[1] / members.length], { icon, title });
  const box = L.latLngBounds(members.map(([lat, lng]) => [lat, lng]));
  if (members.length > 1 && map.getBoundsZoom(box) > map.getZoom() && map.getZoom() < map.getMaxZoom())
    openOnActivate(map, marker, box);
  else marker.bindPopup(popupOf(members), { maxWidth: 240, autoPanPaddingTopLeft: [64, 8] });
  for (const [, , , id] of members) marks.set(id, marker);
  return marker;
}

function build() {
  const { L } = globalThis;
  const [south, west, north, east] = figure.dataset.bounds.split(',').map(Number);
  const bounds = L.latLngBounds([south, west], [north, east]);
  const canvas = document.createElement('div');
  canvas.className = 'canvas';
  stage.append(canvas);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(canvas, {
    attributionControl: false,
    scrollWheelZoom: false,
    zoomSnap: 0.5,
    zoomAnimation: !reducedMotion,
    fadeAnimation: !reducedMotion,
    inertia: !reducedMotion,
    maxBounds: bounds.pad(0.25),
  }).fitBounds(bounds);
  map.setMinZoom(map.getZoom());
  map.setMaxZoom(map.getZoom() + ZOOM_STEPS);
  L.svgOverlay(stage.querySelector('.ground').cloneNode(true), bounds).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  // Not animated: marks redrawn by an animation would take the focus from a visitor who is already among them.
  if (points.length > 0)
    map.fitBounds(L.latLngBounds(points.map(([lat, lng]) => [lat, lng])), {
      padding: [24, 24],
      animate: false,
    });
  const layer = L.layerGroup().addTo(map);
  const marks = new Map();
  const draw = () => {
    layer.clearLayers();
    marks.clear();
    for (const members of clustersOf(map)) layer.addLayer(markOf(map, members, marks));
  };
  map.on('zoomend', draw);
  draw();
  figure.classList.add('moving');
  for (const item of document.querySelectorAll('.places [data-place]')) {
    const mark = (near) => marks.get(item.dataset.place)?.getElement()?.classList.toggle('near', near);
    for (const type of ['mouseenter', 'focusin']) item.addEventListener(type, () => mark(true));
    for (const type of ['mouseleave', 'focusout']) item.addEventListener(type, () => mark(false));
  }
  return canvas;
}

function loadStyle(href) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  });
}

let loading;
function loadMap() {
  loading ??= Promise.all([import(figure.dataset.script), loadStyle(figure.dataset.style)]).then(
    build,
    () => {
      loading = undefined;
    },
  );
  return loading;
}

if (stage) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button wake';
  button.textContent = 'Move the map';
  button.addEventListener('click', async () => {
    const canvas = await loadMap();
    canvas?.focus();
    button.remove();
  });
  stage.append(button);
  if (matchMedia('(hover: hover)').matches)
    stage.addEventListener('pointerenter', async () => {
      if (await loadMap()) button.remove();
    });
}
