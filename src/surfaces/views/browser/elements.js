/**
 * Creates an element. Untrusted text is passed as a child, where it is only text; attributes are trusted strings.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...present(children));
  return element;
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Removes absent children from a list.
 * @param {readonly (Node | string | null | undefined | false)[]} children
 * @returns {(Node | string)[]}
 */
export function present(children) {
  return children.flatMap((child) => child || []);
}

/**
 * Creates a button. It is disabled while its action runs.
 * @param {string} label
 * @param {() => Promise<void> | void} act
 * @param {string} [kind] plain, main or danger.
 */
export function button(label, act, kind = 'plain') {
  const element = el('button', { type: 'button', class: kind }, label);
  element.addEventListener('click', () => {
    if (element.disabled) return;
    element.disabled = true;
    void Promise.resolve(act()).finally(() => {
      element.disabled = false;
    });
  });
  return element;
}

/**
 * Creates a form that is submitted by a tap or the Enter key. Submission is done in script: a frame may forbid that of
 * the browser.
 * @param {readonly { input: HTMLInputElement, row: Node }[]} fields
 * @param {{ label: string, send: () => Promise<void> | void }} main
 * @param {readonly (Node | null)[]} hints
 * @param {readonly Node[]} [others] Further buttons.
 */
export function formOf(fields, { label, send }, hints, others = []) {
  const submit = button(label, () => (form.reportValidity() ? send() : undefined), 'main');
  const form = el(
    'form',
    {},
    el('div', { class: 'fields' }, ...fields.map(({ row }) => row)),
    ...hints,
    el('p', { class: 'actions' }, submit, ...others),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    submit.click();
  });
  return form;
}

/**
 * Creates a field with its label.
 * @param {string} label
 * @param {Record<string, string>} attributes Attributes of the input.
 */
export function field(label, attributes) {
  const input = el('input', { ...attributes, id: `field-${attributes['name'] ?? ''}` });
  return { input, row: el('p', { class: 'field' }, el('label', { for: input.id }, label), input) };
}

/** @param {string} term @param {...(Node | string | null | undefined | false)} description */
export function fact(term, ...description) {
  return el('div', {}, el('dt', {}, term), el('dd', {}, ...description));
}
