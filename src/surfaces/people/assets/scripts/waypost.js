// Every page works without this script. It speeds up finding, copying and reading.

/** Shows results under the search box while the visitor types. They come from the server, as without scripts. */
function finder(form) {
  const box = form.querySelector('input[type=search]');
  const finds = form.querySelector('.finds');
  const pause = 150;
  let lastQuery = box.value.trim();
  let timer;

  async function find() {
    const text = box.value.trim();
    if (text === lastQuery) return;
    lastQuery = text;
    const response = await fetch(`/find?q=${encodeURIComponent(text)}`).catch(() => undefined);
    // Ignore an answer to an earlier query. Without an answer, the button still works.
    if (!response?.ok || text !== lastQuery) return;
    finds.innerHTML = await response.text();
    // On other pages the address stays that of the page.
    if (location.pathname === '/')
      history.replaceState(null, '', text === '' ? '/' : `/?q=${encodeURIComponent(text)}`);
  }

  box.addEventListener('input', () => {
    finds.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(find, pause);
  });
  // The arrow keys move through the suggestions, Escape closes them.
  form.addEventListener('keydown', (event) => {
    const links = [box, ...finds.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      finds.replaceChildren();
      box.focus();
    }
    if (step === undefined || at < 0) return;
    event.preventDefault();
    links[(at + step + links.length) % links.length].focus();
  });
  // The suggestions cover the page, so they give way to it as soon as the visitor turns to it.
  const leave = ({ target }) => (finds.hidden = !form.contains(target));
  for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, leave);
  // A page restored from the history keeps its query, so the results must be updated.
  window.addEventListener('pageshow', find);
}

/** Asks the browser where the visitor is, and searches around there. Nothing is stored. */
function nearMe(form) {
  const button = form.querySelector('.near-me');
  if (navigator.geolocation === undefined || button === null) return;
  const box = form.querySelector('input[type=search]');
  button.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const near = [coords.latitude, coords.longitude].map((degrees) => degrees.toFixed(4)).join();
        const query = new URLSearchParams(box.value.trim() === '' ? { near } : { q: box.value.trim(), near });
        location.assign(`/?${query.toString().replaceAll('%2C', ',')}`);
      },
      () => {
        button.disabled = false;
        form.querySelector('.finds').textContent =
          'Your browser did not say where you are. Type a place or an area.';
      },
      { maximumAge: 60_000, timeout: 10_000 },
    );
  });
}

/** Sends a search as soon as a filter changes. */
function instantFilters(form) {
  for (const field of form.elements)
    if (field.matches('select, [type=checkbox]'))
      field.addEventListener('change', () => form.requestSubmit());
}

/** Highlights the dot on the map together with a destination's index entry. */
function highlighter(index) {
  for (const item of index.querySelectorAll('li')) {
    const href = item.querySelector('a').getAttribute('href');
    const dot = document.querySelector(`.map a[href="${CSS.escape(href)}"]`);
    for (const type of ['mouseenter', 'focusin'])
      item.addEventListener(type, () => dot?.classList.add('near'));
    for (const type of ['mouseleave', 'focusout'])
      item.addEventListener(type, () => dot?.classList.remove('near'));
  }
}

/** Shows the name of the hovered or focused dot on the map. */
function labels(map) {
  const label = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  label.setAttribute('class', 'label');
  label.setAttribute('aria-hidden', 'true');
  const width = map.viewBox.baseVal.width;
  const show = (event) => {
    const dot = event.target.closest('a');
    const use = dot?.querySelector('use');
    label.textContent = dot?.querySelector('title').textContent ?? '';
    if (!use) return;
    const [x, y] = [use.x.baseVal.value, use.y.baseVal.value];
    const onRight = x > width * 0.8;
    label.setAttribute('x', onRight ? x - 22 : x + 22);
    label.setAttribute('y', y + 9);
    label.setAttribute('text-anchor', onRight ? 'end' : 'start');
    map.append(label);
  };
  for (const type of ['mouseover', 'focusin']) map.addEventListener(type, show);
  for (const type of ['mouseleave', 'focusout']) map.addEventListener(type, () => label.remove());
}

/** Adds a copy button to a code block. */
function copier(block) {
  const caption = block.querySelector('figcaption');
  if (caption === null || navigator.clipboard === undefined) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  caption.append(button);
}

/** Marks the topic being read in the table of contents. */
function follower(contents) {
  const topics = [...contents.querySelectorAll('a[href^="#"]')];
  const links = new Map(topics.map((link) => [link.hash.slice(1), link]));
  // Beside the text the contents are always open; only above the text can they be closed.
  const beside = matchMedia('(min-width: 60rem)').matches;
  contents.open = beside;
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.find((entry) => entry.isIntersecting && links.has(entry.target.id));
      if (seen === undefined) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      links.get(seen.target.id).setAttribute('aria-current', 'true');
    },
    { rootMargin: '-10% 0px -80% 0px' },
  );
  for (const id of links.keys()) {
    const topic = document.getElementById(id);
    if (topic !== null) observer.observe(topic);
  }
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') !== null) contents.open = beside;
  });
}

/** Keeps the local time of a destination current while the page is open. */
function clock(element) {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: element.dataset.zone,
  });
  setInterval(() => (element.textContent = format.format(new Date())), 15_000);
}

for (const form of document.querySelectorAll('.finder')) {
  finder(form);
  nearMe(form);
}
for (const form of document.querySelectorAll('[data-filters]')) instantFilters(form);
for (const index of document.querySelectorAll('.index')) highlighter(index);
for (const map of document.querySelectorAll('.world')) labels(map);
for (const block of document.querySelectorAll('.code')) copier(block);
for (const contents of document.querySelectorAll('.contents')) follower(contents);
for (const element of document.querySelectorAll('time[data-zone]')) clock(element);
