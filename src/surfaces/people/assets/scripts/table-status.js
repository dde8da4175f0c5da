// Shows a venue's answer as soon as it arrives: reads the page again while an answer is missing. Without this script a
// reload shows the same.

const FIRST_MS = 2_000;
const SLOWEST_MS = 20_000;

let pause = FIRST_MS;

async function look() {
  const shown = document.querySelector('[data-live]');
  if (!shown?.hasAttribute('data-waiting')) return;
  // A form that somebody is filling in is not replaced.
  const busy = shown.querySelector('details[open]') !== null;
  if (!document.hidden && !busy) {
    const response = await fetch(location.pathname + location.search, {
      headers: { accept: 'text/html' },
    }).catch(() => undefined);
    if (response?.ok) {
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const current = page.querySelector('[data-live]');
      if (current !== null && current.dataset.live !== shown.dataset.live) {
        shown.replaceWith(document.adoptNode(current));
        pause = FIRST_MS;
      }
    }
  }
  setTimeout(look, pause);
  pause = Math.min(SLOWEST_MS, pause * 1.25);
}

setTimeout(look, FIRST_MS);
