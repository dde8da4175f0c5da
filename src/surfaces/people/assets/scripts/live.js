// Keeps an open page up to date: the server tells that something it shows has changed, and the page is read again. Parts
// that stay the same are not touched, so that focus, open details and edited fields stay. Without this script a reload
// shows the same.

const POLL_MS = 20_000;
const main = document.querySelector('main[data-live]');
const FIELDS = 'input, select, textarea';

let stream;
let reading = false;
let again = false;

/** Rows and cards are the same if they are about the same record. Other elements are matched in order. */
function keyOf(element) {
  if (element.id !== '') return `#${element.id}`;
  if (!element.matches('tr, li, article')) return '';
  const target = element.querySelector('a[href], form[action]');
  return target?.getAttribute('href') ?? target?.getAttribute('action') ?? '';
}

function isAlike(one, other) {
  if (one.nodeType !== other.nodeType || one.nodeName !== other.nodeName) return false;
  return one.nodeType !== Node.ELEMENT_NODE || keyOf(one) === keyOf(other);
}

/** Child nodes without the blanks between elements. */
function contentOf(element) {
  return [...element.childNodes].filter(
    (one) => one.nodeType !== Node.TEXT_NODE || one.nodeValue.trim() !== '' || element.children.length === 0,
  );
}

function isEdited(field) {
  if (field === document.activeElement) return true;
  if (field.matches('select')) return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

/** True for an element that a script draws, or in which somebody is writing. */
function isInUse(element) {
  if (element.nodeType !== Node.ELEMENT_NODE) return false;
  return (
    element.matches('dialog[open], .street-map, .table-chips') ||
    [...element.querySelectorAll(FIELDS)].some((field) => field.type !== 'hidden' && isEdited(field))
  );
}

function renewAttributes(shown, fresh) {
  for (const { name, value } of fresh.attributes)
    if (name !== 'open' && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const { name } of [...shown.attributes])
    if (!['open', 'data-sent'].includes(name) && !fresh.hasAttribute(name)) shown.removeAttribute(name);
}

function renew(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    shown.nodeValue = fresh.nodeValue;
    return;
  }
  if (shown.matches('dialog[open], .street-map')) return;
  renewAttributes(shown, fresh);
  const free = contentOf(shown);
  let at = shown.firstChild;
  for (const child of contentOf(fresh)) {
    const index = free.findIndex((one) => isAlike(one, child));
    if (index < 0) {
      shown.insertBefore(child, at);
      continue;
    }
    const [match] = free.splice(index, 1);
    // What lies between is removed, or matched later. Moving an element would take its focus away.
    const isAhead = at !== null && !(at.compareDocumentPosition(match) & Node.DOCUMENT_POSITION_PRECEDING);
    if (isAhead) at = match.nextSibling;
    else shown.insertBefore(match, at);
    renew(match, child);
  }
  for (const one of free) if (!isInUse(one)) one.remove();
}

function stop() {
  stream?.close();
  clearInterval(polling);
  stream = undefined;
}

/** Reads the page again. A further change meanwhile is read afterwards. */
async function read() {
  again = reading;
  if (reading) return;
  reading = true;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'manual' });
    // The session has ended, or the record is gone.
    if (response.type === 'opaqueredirect' || (response.status >= 400 && response.status < 500))
      return stop();
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.querySelector('main');
    if (fresh !== null) renew(main, document.adoptNode(fresh));
    document.title = page.title;
  } catch {
    // The next event or poll reads it.
  } finally {
    reading = false;
    if (again) read();
  }
}

function open() {
  const url = new URL(main.dataset.follow ?? location.href, location.href);
  url.hash = '';
  url.searchParams.set('since', main.dataset.live);
  let opened = false;
  stream = new EventSource(url);
  stream.addEventListener('message', read);
  stream.addEventListener('open', () => {
    // Changes may have been missed while it was interrupted.
    if (opened) read();
    opened = true;
  });
}

const polling = setInterval(() => {
  if (!document.hidden && stream?.readyState !== EventSource.OPEN) read();
}, POLL_MS);

open();
// A hidden page needs no connection, of which a browser has few.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) stream?.close();
  else if (stream !== undefined) {
    read();
    open();
  }
});
addEventListener('pagehide', () => stream?.close());
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && stream !== undefined) {
    read();
    open();
  }
});
