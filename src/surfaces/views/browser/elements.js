/**
 * Makes an element. Text of strangers goes in as a child, where it is text and nothing else; attributes are our own words.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...present(children));
  return made;
}

/**
 * The same for drawings.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * What there is to show of a list in which some things may be absent.
 * @param {readonly (Node | string | null | undefined | false)[]} children
 * @returns {(Node | string)[]}
 */
export function present(children) {
  return children.flatMap((child) => child || []);
}

/**
 * A button. While what it does is under way, a second tap does nothing.
 * @param {string} label
 * @param {() => Promise<void> | void} act
 * @param {string} [kind] plain, main or danger.
 */
export function button(label, act, kind = 'plain') {
  const made = el('button', { type: 'button', class: kind }, label);
  made.addEventListener('click', () => {
    if (made.disabled) return;
    made.disabled = true;
    void Promise.resolve(act()).finally(() => {
      made.disabled = false;
    });
  });
  return made;
}

/**
 * A form that a tap or the Enter key sends. It is sent by us: a frame may forbid what the browser would do.
 * @param {readonly { input: HTMLInputElement, row: Node }[]} fields
 * @param {{ label: string, send: () => Promise<void> | void }} main
 * @param {readonly (Node | null)[]} hints
 * @param {readonly Node[]} [others] Further buttons.
 */
export function formOf(fields, { label, send }, hints, others = []) {
  const sending = button(label, () => (made.reportValidity() ? send() : undefined), 'main');
  const made = el(
    'form',
    {},
    el('div', { class: 'fields' }, ...fields.map(({ row }) => row)),
    ...hints,
    el('p', { class: 'actions' }, sending, ...others),
  );
  made.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    sending.click();
  });
  return made;
}

/**
 * A field with its label.
 * @param {string} label
 * @param {Record<string, string>} attributes Of the input.
 */
export function field(label, attributes) {
  const input = el('input', { ...attributes, id: `field-${attributes['name'] ?? ''}` });
  return { input, row: el('p', { class: 'field' }, el('label', { for: input.id }, label), input) };
}

/** @param {string} term @param {...(Node | string | null | undefined | false)} said */
export function fact(term, ...said) {
  return el('div', {}, el('dt', {}, term), el('dd', {}, ...said));
}
