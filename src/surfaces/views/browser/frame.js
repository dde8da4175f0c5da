/** @import { HostContext, Setup, ToolResult } from './shapes.ts' */
import { Host } from './bridge.js';
import { button, el, present } from './elements.js';
import { Wording } from './wording.js';

/** @type {unknown} */
const written = JSON.parse(document.getElementById('setup')?.textContent ?? '{}');
export const setup = /** @type {Setup} */ (written);
export const wording = new Wording();
const page = document.documentElement;
const room = /** @type {HTMLElement} */ (document.querySelector('main'));

/** @type {Record<string, unknown>} */
let input = {};
/** @type {ToolResult | undefined} */
let result;
let stopped = false;
/** @type {(answer: Record<string, unknown>, input: Record<string, unknown>) => (Node | null)[]} */
let show = () => [];

/** Set when the host takes the view away, so that nothing is asked any more. */
export const ending = new AbortController();

export const host = new Host({
  'ui/notifications/tool-input': (params) => {
    input = /** @type {Record<string, unknown>} */ (params['arguments'] ?? {});
    render();
  },
  'ui/notifications/tool-result': (params) => {
    result = params;
    render();
  },
  'ui/notifications/tool-cancelled': () => {
    stopped = true;
    render();
  },
  'ui/notifications/host-context-changed': (params) => {
    host.context = { ...host.context, ...params };
    if (follow(params)) render();
  },
  'ui/resource-teardown': () => {
    ending.abort();
  },
});

/**
 * Connects to the host and shows every answer that it brings.
 * @param {(answer: Record<string, unknown>, input: Record<string, unknown>) => (Node | null)[]} how
 */
export async function startView(how) {
  show = how;
  wording.speak(navigator.language);
  render();
  new ResizeObserver(tellSize).observe(page);
  await host.connect({ name: `${setup.service} ${setup.view}`, version: setup.version });
  follow(host.context);
  render();
  tellSize();
}

/** Shows the answer again, after something about it changed. */
export function render() {
  page.lang = wording.words.language;
  room.replaceChildren(...present([...content(), modeButton()]));
}

/**
 * Calls a tool of ours through the host and gives what it says for programs.
 * @param {string} operation
 * @param {Record<string, unknown>} given
 */
export async function ask(operation, given) {
  const name = setup.tools[operation];
  if (name === undefined) throw new Error(wording.words.failed);
  const told = await host.callTool(name, given);
  if (told.isError === true || told.structuredContent === undefined) throw new Error(textOf(told));
  return told.structuredContent;
}

/** What went wrong, for the person. @param {unknown} error */
export function problem(error) {
  const said = error instanceof Error ? error.message : '';
  return el(
    'p',
    { class: 'problem', role: 'alert' },
    `${wording.words.failed} `,
    el('span', { lang: 'en' }, said),
  );
}

/**
 * A button that leads out of the conversation, and says where to. Strangers give such addresses, so that only those of
 * the web are taken.
 * @param {string | null} label Where there is none, the button is the address.
 * @param {string | null | undefined} url
 * @param {string} [kind]
 */
export function wayTo(label, url, kind) {
  const to = webAddress(url);
  if (to === null) return null;
  const shown = el('span', { class: 'way' });
  const made = button(
    label ?? to.host,
    async () => {
      // Where the host opens nothing, the person can still copy the address.
      if (!(await host.openLink(to.href))) shown.textContent = to.href;
    },
    kind,
  );
  made.title = wording.words.opens(to.host);
  if (label !== null) shown.textContent = to.host;
  return el('span', { class: 'out' }, made, shown);
}

/** A picture of ours; null for one from anywhere else. @param {string | undefined} url @param {string} alt */
export function picture(url, alt) {
  if (webAddress(url)?.origin !== setup.origin) return null;
  return el('img', { src: url ?? '', alt, loading: 'lazy', decoding: 'async' });
}

/** Where the data come from: it stands beside whatever is made of them. @param {{ attribution?: unknown }} answer */
export function attributionOf({ attribution }) {
  return typeof attribution === 'string' ? el('footer', { lang: 'en' }, attribution) : null;
}

/** A name for one thing that is done, so that doing it again by mistake does it once. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `view-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** @returns {(Node | null)[]} */
function content() {
  const { words } = wording;
  if (stopped) return [el('p', { class: 'quiet' }, words.stopped)];
  if (result === undefined) return [el('p', { class: 'quiet loading', role: 'status' }, words.loading)];
  if (result.isError === true || result.structuredContent === undefined)
    return [problem(new Error(textOf(result)))];
  return show(result.structuredContent, input);
}

/** @param {ToolResult} told */
function textOf({ content: blocks }) {
  return blocks?.find(({ type }) => type === 'text')?.text ?? '';
}

/** Takes over how the host looks. Whether the words changed too. @param {HostContext} context */
function follow({ theme, styles, safeAreaInsets, displayMode, locale, availableDisplayModes }) {
  if (theme === 'light' || theme === 'dark') page.dataset['theme'] = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value !== undefined) page.style.setProperty(name, value);
  if (styles?.css?.fonts !== undefined) fonts.textContent = styles.css.fonts;
  for (const [side, pixels] of Object.entries(safeAreaInsets ?? {}))
    page.style.setProperty(`--safe-${side}`, `${pixels}px`);
  if (displayMode !== undefined) page.dataset['mode'] = displayMode;
  const spoke = wording.speak(host.context.locale ?? navigator.language);
  return spoke || displayMode !== undefined || locale !== undefined || availableDisplayModes !== undefined;
}

const fonts = document.head.appendChild(el('style'));

function modeButton() {
  const { displayMode = 'inline', availableDisplayModes = [] } = host.context;
  const other = displayMode === 'fullscreen' ? 'inline' : 'fullscreen';
  if (result === undefined || !availableDisplayModes.includes(other)) return null;
  const label = other === 'fullscreen' ? wording.words.fullscreen : wording.words.back;
  const made = button(label, () => host.showAs(other).catch(() => undefined), 'mode');
  return el('p', { class: 'modes' }, made);
}

let told = '';

/** The height of what there is to see; a host that lets the view grow follows it. */
function tellSize() {
  const { width, height } = page.getBoundingClientRect();
  const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
  if (size === told) return;
  told = size;
  host.tellSize(Math.ceil(width), Math.ceil(height));
}

/** @param {string | null | undefined} url */
function webAddress(url) {
  const read = typeof url === 'string' ? URL.parse(url) : null;
  return read?.protocol === 'https:' || read?.protocol === 'http:' ? read : null;
}
