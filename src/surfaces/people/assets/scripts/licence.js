// Hashes a file in the browser, so that it is not sent anywhere. Without this script a hash can be pasted.
const pick = document.querySelector('.pick');
const verdict = document.querySelector('.verdict');
const box = document.querySelector('input[name=sha256]');

/** crypto.subtle is missing on insecure connections; there a hash can still be pasted. */
if (pick !== null && globalThis.crypto?.subtle !== undefined) {
  pick.hidden = false;
  const input = pick.querySelector('input');
  input.addEventListener('change', () => check(input.files[0]));
  for (const name of ['dragover', 'dragleave', 'drop'])
    document.addEventListener(name, (event) => {
      event.preventDefault();
      pick.classList.toggle('over', name === 'dragover');
      if (name === 'drop') check(event.dataTransfer.files[0]);
    });
}

async function check(file) {
  if (file === undefined) return;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const match = hash === verdict.dataset.sha256;
  const badge = document.createElement('span');
  badge.className = `badge ${match ? 'good' : 'bad'}`;
  badge.textContent = match ? 'Match' : 'No match';
  const text = match ? ' This is the licensed file.' : ' This is not the licensed file, or it was changed.';
  verdict.replaceChildren(badge, text);
  box.value = hash;
}
