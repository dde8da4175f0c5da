/** @import { McpUiHostContext, McpUiToolResultNotification } from '@modelcontextprotocol/ext-apps' */
/** @import { Setup, ViewRenderer } from './shapes.ts' */
import {
  App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
} from '@modelcontextprotocol/ext-apps';
import { button, el, present } from './elements.js';
import { Wording } from './wording.js';

/** A host may ask the person before it passes a call on. */
const CALL_MS = 600_000;

/** @type {unknown} */
const setupData = JSON.parse(document.getElementById('setup')?.textContent ?? '{}');
export const setup = /** @type {Setup} */ (setupData);
export const wording = new Wording();
const page = document.documentElement;
const container = /** @type {HTMLElement} */ (document.querySelector('main'));

/** @type {Record<string, unknown>} */
let input = {};
/** @type {McpUiToolResultNotification['params'] | undefined} */
let result;
let stopped = false;
/** @type {ViewRenderer} */
let show = () => [];

/** Aborted when the host removes the view, so that no further requests are sent. */
export const ending = new AbortController();

export const app = new App(
  { name: `${setup.service} ${setup.view}`, version: setup.version },
  { availableDisplayModes: ['inline', 'fullscreen'] },
);
app.addEventListener('toolinput', (params) => {
  input = params.arguments ?? {};
  render();
});
app.addEventListener('toolresult', (params) => {
  result = params;
  render();
});
app.addEventListener('toolcancelled', () => {
  stopped = true;
  render();
});
app.addEventListener('hostcontextchanged', (params) => {
  if (applyContext(params)) render();
});
app.onteardown = () => {
  ending.abort();
  return {};
};

/**
 * Connects to the host and shows every result that it delivers.
 * @param {ViewRenderer} view
 */
export async function startView(view) {
  show = view;
  wording.setLocale(navigator.language);
  render();
  await app.connect();
  applyContext(app.getHostContext() ?? {});
  render();
}

/** True when the host passes calls of tools on. */
export function canCallTools() {
  return app.getHostCapabilities()?.serverTools !== undefined;
}

/** Informs the model of a person's action, without requesting a reply. @param {string} text */
export async function informModel(text) {
  if (app.getHostCapabilities()?.updateModelContext === undefined) return;
  await app.updateModelContext({ content: [{ type: 'text', text }] }).catch(() => undefined);
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
  const reply = await app.callServerTool({ name, arguments: args }, { timeout: CALL_MS });
  const answer = structuredContentOf(reply);
  if (answer === undefined) throw new Error(textOf(reply));
  return answer;
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
      if (!(await openLink(to.href))) target.textContent = to.href;
    },
    kind,
  );
  opener.title = wording.words.opens(to.host);
  if (label !== null) target.textContent = to.host;
  return el('span', { class: 'out' }, opener, target);
}

/** Returns true when the host opened the address. @param {string} url */
async function openLink(url) {
  try {
    return (await app.openLink({ url })).isError !== true;
  } catch {
    return false;
  }
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
  const answer = structuredContentOf(result);
  return answer === undefined ? [problem(new Error(textOf(result)))] : show(answer, input);
}

/** @param {McpUiToolResultNotification['params']} toolResult */
function structuredContentOf({ isError, structuredContent }) {
  return isError === true
    ? undefined
    : /** @type {Record<string, unknown> | undefined} */ (structuredContent);
}

/** @param {McpUiToolResultNotification['params']} toolResult */
function textOf({ content: blocks }) {
  return blocks.find((block) => block.type === 'text')?.text ?? '';
}

/**
 * Applies the host's theme, styles and locale. Returns true when the view must be rendered again.
 * @param {McpUiHostContext} context
 */
function applyContext({ theme, styles, safeAreaInsets, displayMode, locale, availableDisplayModes }) {
  if (theme !== undefined) applyDocumentTheme(theme);
  if (styles?.variables !== undefined) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts !== undefined) applyHostFonts(styles.css.fonts);
  for (const [side, pixels] of Object.entries(safeAreaInsets ?? {}))
    page.style.setProperty(`--safe-${side}`, `${pixels}px`);
  if (displayMode !== undefined) page.dataset['mode'] = displayMode;
  const changedLocale = wording.setLocale(app.getHostContext()?.locale ?? navigator.language);
  return (
    changedLocale || displayMode !== undefined || locale !== undefined || availableDisplayModes !== undefined
  );
}

function modeButton() {
  const { displayMode = 'inline', availableDisplayModes = [] } = app.getHostContext() ?? {};
  const other = displayMode === 'fullscreen' ? 'inline' : 'fullscreen';
  if (result === undefined || !availableDisplayModes.includes(other)) return null;
  const label = other === 'fullscreen' ? wording.words.fullscreen : wording.words.back;
  const toggle = button(label, () => switchTo(other), 'mode');
  return el('p', { class: 'modes' }, toggle);
}

/** @param {'inline' | 'fullscreen'} mode */
async function switchTo(mode) {
  await app.requestDisplayMode({ mode }).catch(() => undefined);
}

/** @param {string | null | undefined} url */
function webAddress(url) {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed : null;
}
