// Without this file a form works as it is. With it, nobody leaves a page with unsaved changes without being asked.
for (const form of document.querySelectorAll('form[data-keeps]')) {
  // A page that was shown again with changes that are not saved says so itself.
  let unsaved = form.dataset.keeps === 'unsaved';
  form.addEventListener('input', () => (unsaved = true));
  form.addEventListener('submit', () => (unsaved = false));
  addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });
}
