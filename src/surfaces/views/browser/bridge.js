/** @import { HostContext, ToolResult } from './shapes.ts' */

const PROTOCOL = '2026-01-26';
const METHOD_NOT_FOUND = -32601;

/** The program that shows the view. All that a view wants from outside goes through it, as JSON-RPC over messages. */
export class Host {
  /** @type {HostContext} */
  context = {};
  /** @type {Record<string, unknown>} */
  #can = {};
  #lastId = 0;
  /** @type {Map<number, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** @type {Record<string, (params: Record<string, unknown>) => void>} */
  #hears;

  /** @param {Record<string, (params: Record<string, unknown>) => void>} hears What to do with each notification. */
  constructor(hears) {
    this.#hears = hears;
    window.addEventListener('message', (event) => {
      // Only the host speaks to a view: a message of any other window is not looked at.
      if (event.source === window.parent) this.#receive(event.data);
    });
  }

  /** @param {{ name: string, version: string }} appInfo */
  async connect(appInfo) {
    const told = /** @type {{ hostContext?: HostContext, hostCapabilities?: Record<string, unknown> }} */ (
      await this.#request('ui/initialize', {
        appInfo,
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
        protocolVersion: PROTOCOL,
      })
    );
    this.context = told.hostContext ?? {};
    this.#can = told.hostCapabilities ?? {};
    this.#send({ method: 'ui/notifications/initialized', params: {} });
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} input
   */
  async callTool(name, input) {
    return /** @type {ToolResult} */ (await this.#request('tools/call', { name, arguments: input }));
  }

  /** Whether the host opened the address. Only addresses of the web are asked for. @param {string} url */
  async openLink(url) {
    try {
      const { isError } = /** @type {{ isError?: boolean }} */ (await this.#request('ui/open-link', { url }));
      return isError !== true;
    } catch {
      return false;
    }
  }

  /** Says something in the conversation as the person would. Only a tap leads here. @param {string} text */
  async say(text) {
    await this.#request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
  }

  /** Lets the model know what a person did here, without an answer of it. @param {string} text */
  async tellModel(text) {
    if (this.#can['updateModelContext'] === undefined) return;
    await this.#request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(
      () => undefined,
    );
  }

  /** @param {string} mode */
  async showAs(mode) {
    await this.#request('ui/request-display-mode', { mode });
  }

  get takesMessages() {
    return this.#can['message'] !== undefined;
  }

  get callsTools() {
    return this.#can['serverTools'] !== undefined;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  tellSize(width, height) {
    this.#send({ method: 'ui/notifications/size-changed', params: { width, height } });
  }

  /**
   * @param {string} method
   * @param {Record<string, unknown>} params
   * @returns {Promise<unknown>}
   */
  #request(method, params) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /** @param {Record<string, unknown>} message */
  #send(message) {
    // The host's address is not known to a view; nothing that it sends is more secret than what the host gave it.
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  /** @param {unknown} data */
  #receive(data) {
    if (typeof data !== 'object' || data === null || !('jsonrpc' in data)) return;
    const { id, method, params, result, error } =
      /** @type {{ id?: number, method?: string, params?: Record<string, unknown>, result?: unknown, error?: { message?: string } }} */ (
        data
      );
    if (method === undefined) {
      const waiting = id === undefined ? undefined : this.#waiting.get(id);
      if (id !== undefined) this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error.message ?? ''));
    } else if (id === undefined) this.#hears[method]?.(params ?? {});
    else if (method === 'ping' || method === 'ui/resource-teardown') {
      this.#hears[method]?.(params ?? {});
      this.#send({ id, result: {} });
    } else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: 'A view does not do this.' } });
  }
}
