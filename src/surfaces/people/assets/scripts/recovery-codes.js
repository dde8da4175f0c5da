// Without this script the codes can only be read. With it they can be copied or printed; nothing leaves the page.
const list = document.querySelector('.codes');
const tools = document.querySelector('.code-tools');
const status = tools.querySelector('[role=status]');

function button(words, work) {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'button plain';
  element.textContent = words;
  element.addEventListener('click', work);
  status.before(element, ' ');
}

// The clipboard is missing on insecure connections; there the codes can still be printed.
if (navigator.clipboard !== undefined)
  button('Copy the codes', async () => {
    await navigator.clipboard.writeText([...list.children].map((item) => item.textContent.trim()).join('\n'));
    status.textContent = 'Copied.';
  });
button('Print the codes', () => print());
tools.hidden = false;
