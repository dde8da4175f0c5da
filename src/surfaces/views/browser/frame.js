/** @import { HostContext, Setup, ToolResult } from './shapes.ts' */
import { Host } from './bridge.js';
import { button, el, present } from './elements.js';
import { Wording } from './wording.js';

/** @type {unknown} */
const setupData = JSON.parse(document.getElementById('setup')?.textContent ?? '{}');
export const setup = /** @type {Setup} */ (setupData);
export const wording = new Wording();
const page = document.documentElement;
const container = /** @type {HTMLElement} */ (document.querySelector('main'));

/** @type {Record<string, unknown>} */
let input = {};
/** @type {ToolResult | undefined} */
let result;
let stopped = false;
/** @type {(answer: Record<string, unknown>, input: Record<string, unknown>) => (Node | null)[]} */
let show = () => [];

/** Aborted when the host removes the view, so that no further requests are sent. */
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
 * Connects to the host and shows every result that it delivers.
 * @param {(answer: Record<string, unknown>, input: Record<string, unknown>) => (Node | null)[]} view
 */
export async function startView(view) {
  show = view;
  wording.speak(navigator.language);
  render();
  new ResizeObserver(reportSize).observe(page);
  await host.connect({ name: `${setup.service} ${setup.view}`, version: setup.version });
  follow(host.context);
  render();
  reportSize();
}

/** Renders the result again, after something about it changed. */
export function render() {
  page.lang = wording.words.language;
  container.replaceChildren(...present([...content(), modeButton()]));
}

/**
 * Calls one of our tools through the host and returns its structured content.
 * @param {string} operation
 * @param {Record<string, unknown>} args
 */
export async function ask(operation, args) {
  const name = setup.tools[operation];
  if (name === undefined) throw new Error(wording.words.failed);
  const reply = await host.callTool(name, args);
  if (reply.isError === true || reply.structuredContent === undefined) throw new Error(textOf(reply));
  return reply.structuredContent;
}

/** Shows an error to the person. @param {unknown} error */
export function problem(error) {
  const message = error instanceof Error ? error.message : '';
  return el(
    'p',
    { class: 'problem', role: 'alert' },
    `${wording.words.failed} `,
    el('span', { lang: 'en' }, message),
  );
}

/**
 * Creates a button that leads out of the conversation, with its target host. The addresses are untrusted, so only web
 * addresses are accepted.
 * @param {string | null} label Null: the button shows the address.
 * @param {string | null | undefined} url
 * @param {string} [kind]
 */
export function wayTo(label, url, kind) {
  const to = webAddress(url);
  if (to === null) return null;
  const target = el('span', { class: 'way' });
  const opener = button(
    label ?? to.host,
    async () => {
      // When the host cannot open the address, the person can still copy it.
      if (!(await host.openLink(to.href))) target.textContent = to.href;
    },
    kind,
  );
  opener.title = wording.words.opens(to.host);
  if (label !== null) target.textContent = to.host;
  return el('span', { class: 'out' }, opener, target);
}

/** A picture from our own origin; null for any other. @param {string | undefined} url @param {string} alt */
export function picture(url, alt) {
  if (webAddress(url)?.origin !== setup.origin) return null;
  return el('img', { src: url ?? '', alt, loading: 'lazy', decoding: 'async' });
}

/** Attribution of the data, which must be shown beside it. @param {{ attribution?: unknown }} answer */
export function attributionOf({ attribution }) {
  return typeof attribution === 'string' ? el('footer', { lang: 'en' }, attribution) : null;
}

/** Creates an idempotency key, so that repeating an action by mistake has no effect. */
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

/** @param {ToolResult} toolResult */
function textOf({ content: blocks }) {
  return blocks?.find(({ type }) => type === 'text')?.text ?? '';
}

/**
 * Applies the host's theme, styles and locale. Returns true when the view must be rendered again.
 * @param {HostContext} context
 */
function follow({ theme, styles, safeAreaInsets, displayMode, locale, availableDisplayModes }) {
  if (theme === 'light' || theme === 'dark') page.dataset['theme'] = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value !== undefined) page.style.setProperty(name, value);
  if (styles?.css?.fonts !== undefined) fonts.textContent = styles.css.fonts;
  for (const [side, pixels] of Object.entries(safeAreaInsets ?? {}))
    page.style.setProperty(`--safe-${side}`, `${pixels}px`);
  if (displayMode !== undefined) page.dataset['mode'] = displayMode;
  const changedLocale = wording.speak(host.context.locale ?? navigator.language);
  return (
    changedLocale || displayMode !== undefined || locale !== undefined || availableDisplayModes !== undefined
  );
}

const fonts = document.head.appendChild(el('style'));

function modeButton() {
  const { displayMode = 'inline', availableDisplayModes = [] } = host.context;
  const other = displayMode === 'fullscreen' ? 'inline' : 'fullscreen';
  if (result === undefined || !availableDisplayModes.includes(other)) return null;
  const label = other === 'fullscreen' ? wording.words.fullscreen : wording.words.back;
  const toggle = button(label, () => host.showAs(other).catch(() => undefined), 'mode');
  return el('p', { class: 'modes' }, toggle);
}

let reportedSize = '';

/** Reports the size of the content; a host that lets the view grow follows it. */
function reportSize() {
  const { width, height } = page.getBoundingClientRect();
  const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
  if (size === reportedSize) return;
  reportedSize = size;
  host.tellSize(Math.ceil(width), Math.ceil(height));
}

/** @param {string | null | undefined} url */
function webAddress(url) {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed : null;
}
