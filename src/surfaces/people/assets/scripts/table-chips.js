// Day and time of a table as chips: the next days, and the times at which the place is open on the chosen one. They set
// the fields of the form, which are used without this script and for another day or time.

/** Texts come from the page, so they are only ever set as text. */
function chip(text, isPressed, choose) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'chip';
  button.textContent = text;
  button.setAttribute('aria-pressed', String(isPressed));
  button.addEventListener('click', choose);
  return button;
}

function row(label, chips) {
  const group = document.createElement('div');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', label);
  group.append(...chips);
  return group;
}

function drawChips(place) {
  const form = place.closest('form');
  const [date, time] = ['date', 'time'].map((name) => form.elements.namedItem(name));
  const days = JSON.parse(place.dataset.days);
  // A day that has no chip, or a field with an error, is shown.
  let isTyped = form.querySelector('.field.bad') !== null || days.every((day) => day.date !== date.value);
  place.classList.toggle('typed', isTyped);
  const note = document.createElement('p');
  note.className = 'chips-note';
  note.setAttribute('role', 'status');

  function draw(focused) {
    const day = days.find((one) => one.date === date.value);
    // The time that is set is always among those shown.
    const times = day === undefined ? [] : [...day.times];
    if (times.length > 0 && !times.includes(time.value)) times.push(time.value);
    const dayChips = days.map((one) => {
      const button = chip(one.label, one === day, () => {
        date.value = one.date;
        if (one.times.length > 0 && !one.times.includes(time.value))
          time.value = one.times.findLast((at) => at <= time.value) ?? one.times[0];
        draw(one.label);
      });
      if (one.isClosed) {
        button.classList.add('closed');
        const closed = document.createElement('small');
        closed.textContent = ' closed';
        button.append(closed);
      }
      return button;
    });
    const other = chip('Another day or time', isTyped, () => {
      isTyped = !isTyped;
      place.classList.toggle('typed', isTyped);
      draw(other.textContent);
    });
    const timeChips = times
      .filter((at) => at !== '')
      .sort()
      .map((at) =>
        chip(at, at === time.value, () => {
          time.value = at;
          draw(at);
        }),
      );
    note.textContent = day?.note ?? '';
    note.classList.toggle('warn', day?.isClosed === true);
    const rows = [
      row('Day', [...dayChips, other]),
      ...(timeChips.length > 0 ? [row('Time', timeChips)] : []),
    ];
    place.replaceChildren(...rows, note);
    if (focused !== undefined)
      [...place.querySelectorAll('button')]
        .find(({ textContent }) => textContent.startsWith(focused))
        ?.focus();
  }

  for (const field of [date, time]) field.addEventListener('change', () => draw());
  // Above the other fields, as they are seen.
  form.prepend(place);
  place.hidden = false;
  draw();
}

for (const place of document.querySelectorAll('.table-chips')) drawChips(place);
