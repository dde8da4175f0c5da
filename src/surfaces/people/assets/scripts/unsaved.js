// Without this script a form works as usual. With it, leaving a page with unsaved changes asks for confirmation.
for (const form of document.querySelectorAll('form[data-keeps]')) {
  // The server marks a page that it shows again with unsaved changes.
  let unsaved = form.dataset.keeps === 'unsaved';
  form.addEventListener('input', () => (unsaved = true));
  form.addEventListener('submit', () => (unsaved = false));
  addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });
}
