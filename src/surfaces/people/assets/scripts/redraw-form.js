// A button that changes a form without saving it redraws the form in place. Without this script the page is loaded again.

for (const form of document.querySelectorAll('form[data-redraw]'))
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (button?.name !== 'do') return;
    event.preventDefault();
    redraw(form, button);
  });

async function redraw(form, button) {
  const fields = new FormData(form, button);
  try {
    const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(fields) });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.querySelector('form[data-redraw]');
    if (fresh === null) throw new Error('The answer has no such form.');
    document.querySelector('.notice')?.remove();
    const notice = page.querySelector('.notice');
    if (notice !== null) form.before(document.adoptNode(notice));
    form.replaceChildren(...document.adoptNode(fresh).childNodes);
    const focused = form.querySelector('[autofocus]');
    focused?.focus();
    focused?.scrollIntoView({ block: 'nearest' });
    // What is shown is not saved yet.
    form.dispatchEvent(new Event('input', { bubbles: true }));
  } catch {
    // The whole page shows what is wrong, such as that the session has ended.
    form.addEventListener('submit', (event) => event.stopImmediatePropagation(), {
      capture: true,
      once: true,
    });
    form.requestSubmit(button);
  }
}
