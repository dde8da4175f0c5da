// The reference is read and searched without this file too. It shows what is found while somebody types.

const form = document.querySelector('.docs-search form');
const box = form.querySelector('input');
const list = document.querySelector('.docs-search .hits');
const status = document.querySelector('.docs-search [role=status]');

/** Both are loaded with the page, so that the search goes on when the network is gone. */
const ready = Promise.all([
  fetch(form.dataset.index).then((answer) => (answer.ok ? answer.json() : [])),
  import(form.dataset.rank),
]);

async function show() {
  const [topics, { rankTopics }] = await ready;
  const query = box.value.trim();
  const found = rankTopics(topics, query);
  list.replaceChildren(...found.map(hit));
  list.hidden = found.length === 0;
  status.textContent = query === '' ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`;
  form.classList.toggle('nothing', query !== '' && found.length === 0);
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

/** The box, then what was found: the arrows go up and down in it. */
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

/** Before there were pages, every topic had its address on the first one. */
async function goOn() {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || id === '') return;
  const here = document.getElementById(id);
  if (here !== null && here.closest('.everything') === null) return;
  const listed = here?.querySelector('a');
  if (listed) return location.replace(listed.href);
  const [topics] = await ready;
  const known = topics.find(({ href }) => href.endsWith(`#${id}`));
  if (known !== undefined) location.replace(known.href);
}

addEventListener('hashchange', goOn);
goOn();
