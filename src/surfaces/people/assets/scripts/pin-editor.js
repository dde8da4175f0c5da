// The pin of a place on the street map: moved by dragging, by a click and with the arrow keys. The fields of the form
// always state its position, so that the page also works without this script.

const ZOOM = 18;
const ZOOM_WITHOUT_PIN = 13;
/** Pixels per press of an arrow key; with Shift the pin takes long steps. */
const STEP = 4;
const LONG_STEP = 40;
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const figure = document.querySelector('.pin-editor');
const form = figure?.closest('form');

async function edit() {
  const { dataset } = figure;
  const { addStreets, leafletOptions, loadStyle } = await import(dataset.streetScript);
  await Promise.all([import(dataset.script), loadStyle(dataset.style)]);
  const { L } = globalThis;
  const stage = figure.querySelector('.stage');
  const words = figure.querySelector('[role=status]');
  const canvas = document.createElement('div');
  canvas.className = 'canvas';
  stage.append(canvas);
  const start = dataset.pin.split(',').map(Number);
  const map = L.map(canvas, { ...leafletOptions(), maxZoom: 19, minZoom: 10, keyboard: false });
  map.setView(start, 'placed' in dataset ? ZOOM : ZOOM_WITHOUT_PIN);
  L.control.scale({ imperial: false }).addTo(map);
  const icon = L.divIcon({
    html: document.createElement('span'),
    className: 'pin chosen',
    iconSize: [44, 44],
  });
  const { title } = dataset;
  const marker = L.marker(start, { icon, draggable: true, title, alt: title });
  const { lat, lng } = form.elements;

  function put(position, isTyped) {
    marker.setLatLng(position).addTo(map);
    if (!map.getBounds().pad(-0.1).contains(position)) map.panTo(position);
    words.textContent = dataset.moved.replace('{metres}', Math.round(map.distance(start, position)));
    if (isTyped) return;
    const { lat: north, lng: east } = marker.getLatLng().wrap();
    lat.value = north.toFixed(6);
    lng.value = east.toFixed(6);
    lat.dispatchEvent(new Event('input', { bubbles: true }));
  }

  marker.on('dragend', () => put(marker.getLatLng()));
  map.on('click', ({ latlng }) => put(latlng));
  marker.on('add', () => {
    const element = marker.getElement();
    element.setAttribute('aria-label', title);
    element.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const length = event.shiftKey ? LONG_STEP : STEP;
      const { x, y } = map.latLngToContainerPoint(marker.getLatLng());
      put(map.containerPointToLatLng([x + step[0] * length, y + step[1] * length]));
    });
  });
  for (const field of [lat, lng])
    field.addEventListener('change', () => {
      const typed = [lat, lng].map(({ value }) => Number(value.trim().replace(',', '.')));
      if (lat.value !== '' && lng.value !== '' && typed.every(Number.isFinite)) put(typed, true);
    });
  if ('placed' in dataset) marker.addTo(map);
  await addStreets(map, figure);
  figure.classList.add('moving');
}

if (form) edit().catch(() => figure.querySelector('.canvas')?.remove());
