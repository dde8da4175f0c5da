// Without this file codes are read off the page. With it they are copied or printed by a button; nothing leaves the page.
const list = document.querySelector('.codes');
const tools = document.querySelector('.code-tools');
const said = tools.querySelector('[role=status]');

function button(words, work) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'button plain';
  made.textContent = words;
  made.addEventListener('click', work);
  said.before(made, ' ');
}

// Pages that did not come over a safe connection have no clipboard; there the codes can still be printed.
if (navigator.clipboard !== undefined)
  button('Copy the codes', async () => {
    await navigator.clipboard.writeText([...list.children].map((item) => item.textContent.trim()).join('\n'));
    said.textContent = 'Copied.';
  });
button('Print the codes', () => print());
tools.hidden = false;
