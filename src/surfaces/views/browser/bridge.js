/** @import { HostContext, ToolResult } from './shapes.ts' */

const PROTOCOL = '2026-01-26';
const METHOD_NOT_FOUND = -32601;

/** The program that shows the view. All communication of a view goes through it, as JSON-RPC over messages. */
export class Host {
  /** @type {HostContext} */
  context = {};
  /** @type {Record<string, unknown>} */
  #capabilities = {};
  #lastId = 0;
  /** @type {Map<number, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** @type {Record<string, (params: Record<string, unknown>) => void>} */
  #handlers;

  /** @param {Record<string, (params: Record<string, unknown>) => void>} handlers Handler of each notification. */
  constructor(handlers) {
    this.#handlers = handlers;
    window.addEventListener('message', (event) => {
      // Only accept messages of the host, not of any other window.
      if (event.source === window.parent) this.#receive(event.data);
    });
  }

  /** @param {{ name: string, version: string }} appInfo */
  async connect(appInfo) {
    const reply = /** @type {{ hostContext?: HostContext, hostCapabilities?: Record<string, unknown> }} */ (
      await this.#request('ui/initialize', {
        appInfo,
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
        protocolVersion: PROTOCOL,
      })
    );
    this.context = reply.hostContext ?? {};
    this.#capabilities = reply.hostCapabilities ?? {};
    this.#send({ method: 'ui/notifications/initialized', params: {} });
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} input
   */
  async callTool(name, input) {
    return /** @type {ToolResult} */ (await this.#request('tools/call', { name, arguments: input }));
  }

  /** Returns true when the host opened the address. Only web addresses are requested. @param {string} url */
  async openLink(url) {
    try {
      const { isError } = /** @type {{ isError?: boolean }} */ (await this.#request('ui/open-link', { url }));
      return isError !== true;
    } catch {
      return false;
    }
  }

  /** Sends a message to the conversation as the person. Call it only on a tap. @param {string} text */
  async say(text) {
    await this.#request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
  }

  /** Informs the model of a person's action, without requesting a reply. @param {string} text */
  async tellModel(text) {
    if (this.#capabilities['updateModelContext'] === undefined) return;
    await this.#request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(
      () => undefined,
    );
  }

  /** @param {string} mode */
  async showAs(mode) {
    await this.#request('ui/request-display-mode', { mode });
  }

  get takesMessages() {
    return this.#capabilities['message'] !== undefined;
  }

  get callsTools() {
    return this.#capabilities['serverTools'] !== undefined;
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
    // A view does not know the host's address; nothing that it sends is more secret than what the host gave it.
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
    } else if (id === undefined) this.#handlers[method]?.(params ?? {});
    else if (method === 'ping' || method === 'ui/resource-teardown') {
      this.#handlers[method]?.(params ?? {});
      this.#send({ id, result: {} });
    } else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: 'A view does not do this.' } });
  }
}
