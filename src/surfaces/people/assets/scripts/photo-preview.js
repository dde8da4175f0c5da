// Shows the chosen photos before they are sent. Without this script the browser shows their names.

const SIDE = 160;

/** Draws a file on a canvas, because the page loads no pictures but its own. A file that is no picture keeps its name. */
async function draw(file, item) {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) return;
  const scale = SIDE / Math.max(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  item.prepend(canvas);
}

for (const input of document.querySelectorAll('form[data-upload] input[type=file]')) {
  const list = document.createElement('ul');
  list.className = 'previews';
  input.after(list);
  input.addEventListener('change', () => {
    const items = [...input.files].map((file) => {
      const item = document.createElement('li');
      const name = document.createElement('bdi');
      name.textContent = file.name;
      item.append(name);
      return { file, item };
    });
    list.replaceChildren(...items.map(({ item }) => item));
    for (const { file, item } of items) draw(file, item);
  });
  for (const type of ['dragenter', 'dragover'])
    input.addEventListener(type, () => input.classList.add('over'));
  for (const type of ['dragleave', 'drop'])
    input.addEventListener(type, () => input.classList.remove('over'));
  // The script that sends the photos shows each with its progress.
  input.form.addEventListener('submit', () => list.replaceChildren());
}
