import type { Mode, Surface, Task } from './task.ts';

const ENDPOINTS: Readonly<Record<Surface, readonly string[]>> = {
  agent: ['/mcp'],
  partner: ['/api/partner/mcp'],
  concierge: ['/api/concierge/mcp', '/api/partner/mcp'],
};
const USER_AGENT = 'TaskAgent/1.0 (+https://agents.example)';
const VERSION = '2025-11-25';

export interface Property {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  pattern?: string;
  anyOf?: Property[];
  oneOf?: Property[];
}

/** The parts of a tool that a model sees. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: { properties?: Record<string, Property>; required?: string[] };
  annotations?: { readOnlyHint?: boolean };
}

/** The parts of a result that a model sees: its text, or its structured content as data and as text. */
export interface Seen {
  error: boolean;
  view: string;
  data?: unknown;
}

export interface Counts {
  calls: number;
  /** Bytes of the tool lists and of every result. */
  bytes: number;
  /** Bytes that reached the model in this mode. */
  seenBytes: number;
}

interface Answer {
  result?: {
    tools?: Tool[];
    content?: { type: string; text?: string }[];
    structuredContent?: unknown;
    isError?: boolean;
  };
  error?: { message: string; data?: unknown };
}

/** The program between a model and the service: it lists tools, calls them, and forwards one half of each result. */
export class Host {
  /** Every request with the visible part of its result, for debugging. */
  readonly trace: string[] = [];
  readonly counts: Counts = { calls: 0, bytes: 0, seenBytes: 0 };
  readonly tools: Tool[] = [];
  readonly #base: string;
  readonly #task: Task;
  readonly #mode: Mode;
  readonly #endpointOf = new Map<string, string>();

  private constructor(base: string, task: Task, mode: Mode) {
    this.#base = base;
    this.#task = task;
    this.#mode = mode;
  }

  /** A new conversation: the tools of its endpoints are listed once. */
  static async open(base: string, task: Task, mode: Mode): Promise<Host> {
    const host = new Host(base, task, mode);
    if (task.byWeb !== true) for (const endpoint of ENDPOINTS[task.surface]) await host.#list(endpoint);
    return host;
  }

  async #list(endpoint: string): Promise<void> {
    const { result } = await this.#send(endpoint, 'tools/list', {});
    for (const { name, description, inputSchema, annotations } of result?.tools ?? []) {
      if (this.#endpointOf.has(name)) continue;
      this.#endpointOf.set(name, endpoint);
      this.tools.push({ name, description, inputSchema, ...(annotations !== undefined && { annotations }) });
      this.#count(JSON.stringify({ name, description, inputSchema }));
    }
  }

  async call(tool: Tool, given: Readonly<Record<string, unknown>>): Promise<Seen> {
    this.counts.calls++;
    this.trace.push(`> ${tool.name} ${JSON.stringify(given)}`);
    const endpoint = this.#endpointOf.get(tool.name) ?? '';
    const { result, error } = await this.#send(endpoint, 'tools/call', { name: tool.name, arguments: given });
    if (error !== undefined) return this.#see({ error: true, view: errorText(error) });
    const text = (result?.content ?? []).map((part) => part.text ?? '').join('\n');
    const data = result?.structuredContent;
    if (this.#mode === 'structured' && data !== undefined)
      return this.#see({ error: result?.isError === true, view: JSON.stringify(data), data });
    return this.#see({ error: result?.isError === true, view: text });
  }

  /** A page of the service, or a request to an address that one of them names. */
  async web(method: string, path: string, body?: unknown): Promise<Seen> {
    this.counts.calls++;
    this.trace.push(`> ${method} ${path} ${JSON.stringify(body ?? {})}`);
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', ...this.#task.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const view = await response.text();
    this.counts.bytes += Buffer.byteLength(view);
    return this.#see({ error: !response.ok, view });
  }

  #see(seen: Seen): Seen {
    this.#count(seen.view);
    this.trace.push(`${seen.error ? '! ' : '< '}${seen.view}`);
    return seen;
  }

  #count(text: string): void {
    this.counts.seenBytes += Buffer.byteLength(text);
  }

  async #send(endpoint: string, method: string, params: object): Promise<Answer> {
    const response = await fetch(`${this.#base}${endpoint}`, {
      method: 'POST',
      headers: {
        'user-agent': USER_AGENT,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        ...this.#task.headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    this.counts.bytes += Buffer.byteLength(text);
    return JSON.parse(text) as Answer;
  }
}

function errorText({ message, data }: { message: string; data?: unknown }): string {
  return data === undefined ? message : `${message} ${JSON.stringify(data)}`;
}
