// The reference and its search work without this script. It shows results while the reader types.

const form = document.querySelector('.docs-search form');
const box = form.querySelector('input');
const list = document.querySelector('.docs-search .hits');
const status = document.querySelector('.docs-search [role=status]');

/** Loaded with the page, so that the search keeps working offline. */
const ready = Promise.all([
  fetch(form.dataset.index).then((answer) => (answer.ok ? answer.json() : [])),
  import(form.dataset.rank),
]);

async function show() {
  const [topics, { rankTopics }] = await ready;
  const query = box.value.trim();
  const results = rankTopics(topics, query);
  list.replaceChildren(...results.map(hit));
  list.hidden = results.length === 0;
  status.textContent = query === '' ? '' : results.length === 0 ? 'Nothing found' : `${results.length} found`;
  form.classList.toggle('nothing', query !== '' && results.length === 0);
}

function hit({ href, title, page }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const where = document.createElement('span');
  link.href = href;
  where.className = 'soft';
  where.textContent = page;
  link.append(`${title} `, where);
  item.append(link);
  return item;
}

function close() {
  list.hidden = true;
  status.textContent = '';
}

/** Moves focus by arrow key between the search box and the results. */
function step(by) {
  const stops = [box, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  stops[Math.min(Math.max(at + by, 0), stops.length - 1)].focus();
}

box.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  const first = list.hidden ? null : list.querySelector('a');
  if (first === null) return;
  event.preventDefault();
  first.click();
});
list.addEventListener('click', close);
document.querySelector('.docs-search').addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    if (list.hidden) show();
    else step(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') {
    close();
    box.focus();
  }
});
document.addEventListener('click', (event) => {
  if (event.target.closest('.docs-search') === null) close();
});
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select, [contenteditable]') !== null;
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  box.focus();
});

/** Redirects fragment links from before the reference was split into pages, when every topic was on the first page. */
async function redirectOldLink() {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || id === '') return;
  const here = document.getElementById(id);
  if (here !== null && here.closest('.everything') === null) return;
  const link = here?.querySelector('a');
  if (link) return location.replace(link.href);
  const [topics] = await ready;
  const topic = topics.find(({ href }) => href.endsWith(`#${id}`));
  if (topic !== undefined) location.replace(topic.href);
}

addEventListener('hashchange', redirectOldLink);
redirectOldLink();
