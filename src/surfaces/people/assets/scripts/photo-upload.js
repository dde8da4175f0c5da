// Without this script the form sends all photos at once. With it each is sent separately, with its progress.

const form = document.querySelector('form[data-upload]');
const input = form?.querySelector('input[type=file]');
const list = form?.querySelector('[data-progress]');
const CONCURRENT_MAX = 2;

for (const note of form?.querySelectorAll('[data-without-script]') ?? []) note.hidden = true;

function rowFor(file) {
  const row = document.createElement('li');
  const name = document.createElement('span');
  name.className = 'name';
  name.textContent = file.name;
  const bar = document.createElement('progress');
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', file.name);
  const status = document.createElement('span');
  status.className = 'said';
  status.textContent = 'Waits';
  row.append(name, bar, status);
  list.append(row);
  return { row, bar, status };
}

/** Sends one file and resolves with the message to show. */
function send(file, { bar, status }) {
  return new Promise((resolve) => {
    const body = new FormData(form);
    body.delete('photos');
    body.append('photos', file);
    const call = new XMLHttpRequest();
    call.open('POST', form.action);
    call.setRequestHeader('accept', 'application/json');
    call.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
      status.textContent = 'On its way';
    });
    call.addEventListener('error', () =>
      resolve({ bad: 'The connection broke. Choose the photo again and send it once more.' }),
    );
    call.addEventListener('load', () => resolve(readAnswer(call)));
    call.send(body);
  });
}

function readAnswer(call) {
  try {
    const answer = JSON.parse(call.responseText);
    const [file] = answer.files ?? [];
    if (file?.refused) return { bad: file.refused };
    if (file?.known) return { good: 'You sent this photo before.' };
    if (file?.photo_id) return { good: 'Arrived. A person will look at it.' };
    return { bad: answer.detail ?? 'It was not taken.' };
  } catch {
    return { bad: 'It was not taken. Load the page again and try once more.' };
  }
}

async function sendAll(files) {
  const rows = files.map((file) => ({ file, ...rowFor(file) }));
  const queue = [...rows];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { good, bad } = await send(next.file, next);
      next.bar.value = good ? 1 : 0;
      next.status.textContent = good ?? bad;
      next.row.classList.toggle('bad', bad !== undefined);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, work));
}

form?.addEventListener('submit', async (event) => {
  if (input.files.length === 0) return;
  event.preventDefault();
  const button = form.querySelector('button[type=submit]');
  button.disabled = true;
  list.replaceChildren();
  await sendAll([...input.files]);
  form.querySelector('[data-finished]').hidden = false;
  input.value = '';
  button.disabled = false;
});
