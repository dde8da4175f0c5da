// The console works without this script. With it, the whole queue can be processed by keyboard.

const TYPING = 'input, select, textarea, [contenteditable]';
const help = document.querySelector('dialog.keys');

/** Moves focus along the rows of a list; on a page without rows, opens the neighbour in the queue. */
function move(step) {
  const rows = [...document.querySelectorAll('[data-row]')];
  if (rows.length === 0) return document.querySelector(`[data-key="${step > 0 ? 'j' : 'k'}"]`)?.click();
  const at = rows.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next].focus();
}

/** Deciding takes two keys, so that a slip decides nothing: the first focuses the form, Enter submits it. */
function goTo(key) {
  const button = document.querySelector(`button[data-key="${key}"]`);
  const target = button?.dataset.focus ? document.getElementById(button.dataset.focus) : button;
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

/** Sends the form of a decision from its reason: by the number of a reason, or by Enter, which browsers ignore there. */
function sendReason(event) {
  const { target, key } = event;
  const button = document.querySelector(`button[data-focus="${CSS.escape(target.id)}"]`);
  if (!target.matches('select') || button === null) return;
  // The first choice is the text that asks for one.
  if (/^[1-9]$/.test(key) && target.options.length > Number(key)) target.selectedIndex = Number(key);
  else if (key !== 'Enter' || target.value === '') return;
  event.preventDefault();
  button.click();
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  a: () => goTo('a'),
  r: () => goTo('r'),
  u: () => document.querySelector('[data-key="u"]')?.click(),
  ...Object.fromEntries(['1', '2', '3', '4', '5'].map((key) => [key, () => goTo(key)])),
  x: () => document.activeElement?.closest('tr')?.querySelector('.choose')?.click(),
  '/': () => document.querySelector('.filters input')?.focus(),
  '?': () => help?.showModal(),
};

const palette = document.querySelector('dialog.palette');
const wanted = palette?.querySelector('input');

/** Shows the pages of the navigation whose name contains the text. */
function showPages() {
  const text = wanted.value.trim().toLowerCase();
  const pages = [...document.querySelectorAll('.side-menu a[data-go]')].filter((link) =>
    link.firstElementChild.textContent.toLowerCase().includes(text),
  );
  palette.querySelector('ul').replaceChildren(
    ...pages.map(({ href, firstElementChild }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      Object.assign(link, { href, textContent: firstElementChild.textContent });
      item.append(link);
      return item;
    }),
  );
}

function openPalette() {
  wanted.value = '';
  showPages();
  palette.showModal();
}

wanted?.addEventListener('input', showPages);
palette?.addEventListener('submit', (event) => {
  const [first] = palette.querySelectorAll('li a');
  if (first === undefined || document.activeElement !== wanted) return;
  event.preventDefault();
  first.click();
});
palette?.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [wanted, ...palette.querySelectorAll('li a')];
  const at = stops.indexOf(document.activeElement) + step;
  stops[(at + stops.length) % stops.length].focus();
});

let going = false;
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k' && palette) {
    event.preventDefault();
    return palette.open ? palette.close() : openPalette();
  }
  if (palette?.open) return;
  if (event.ctrlKey || event.metaKey || event.altKey || help?.open) return;
  if (event.target instanceof Element && event.target.matches(TYPING)) {
    if (event.key === 'Escape') event.target.blur();
    sendReason(event);
    return;
  }
  if (going) {
    going = false;
    document.querySelector(`[data-go="${CSS.escape(event.key)}"]`)?.click();
    return;
  }
  if (event.key === 'g') {
    going = true;
    setTimeout(() => (going = false), 1500);
    return;
  }
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});

// Submit a decision only once, however often the button is pressed.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent === 'yes') event.preventDefault();
  form.dataset.sent = 'yes';
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
