import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { after } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { barriersIn } from '../../harness/browser/barriers.ts';
import { openBrowser, screenshot, type View } from '../../harness/browser/browser.ts';
import { until } from '../../harness/service/jobs.ts';
import { USER_AGENT, type TestService } from '../../harness/service/service.ts';
import { PATIENCE_MS } from '../../harness/patience.ts';

interface Csp {
  resourceDomains?: string[];
  connectDomains?: string[];
}

export interface ShowOptions {
  context?: Record<string, unknown>;
  /** Changes the answer on its way to the view, as only a broken or hostile server would. */
  answer?: (told: Record<string, unknown>) => Record<string, unknown>;
  /** False: a host that lets a view load nothing, whatever it declares. */
  loads?: boolean;
}

/** A host with the official bridge, in a real browser, and the official client behind it. */
export class ViewHost {
  /** Requests of the view to the host: links, messages, sizes, in order. */
  readonly noted: { kind: string; told: unknown }[] = [];
  /** Tools that the view called. */
  readonly called: { name: string; arguments?: Record<string, unknown> }[] = [];
  /** Tools whose calls the host loses. */
  readonly lost: string[] = [];
  readonly requested: string[] = [];
  readonly page: Page;
  readonly faults: string[];
  readonly #client: Client;
  readonly #view: View;

  private constructor(page: Page, faults: string[], client: Client, view: View) {
    this.page = page;
    this.faults = faults;
    this.#client = client;
    this.#view = view;
  }

  static async open(
    service: TestService,
    path: string,
    headers: Record<string, string>,
    view: View,
  ): Promise<ViewHost> {
    const client = new Client({ name: 'view-host', version: '1.0.0' });
    const requestInit = { headers: { 'user-agent': USER_AGENT, ...headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(service.url + path), { requestInit }));
    after(() => client.close());
    const { page, faults } = await openBrowser(ORIGIN, view);
    page.setDefaultTimeout(PATIENCE_MS);
    const host = new ViewHost(page, faults, client, view);
    page.on('request', (request) => host.requested.push(request.url()));
    await page.exposeFunction('callTool', async (params: (typeof host.called)[number]) => {
      host.called.push(params);
      if (host.lost.includes(params.name)) throw new Error('The line is gone.');
      return client.callTool(params);
    });
    await page.exposeFunction('note', (kind: string, told: unknown) => {
      host.noted.push({ kind, told });
    });
    await page.goto(ORIGIN);
    return host;
  }

  /** Calls a tool and shows its answer in the view that the tool names, as a host does. */
  async show(tool: string, input: Record<string, unknown>, options: ShowOptions = {}): Promise<FrameLocator> {
    const { tools } = await this.#client.listTools();
    const listed = tools.find(({ name }) => name === tool);
    const { ui } = (listed?._meta ?? {}) as { ui?: { resourceUri: string } };
    assert.ok(ui, `${tool} names a view`);
    const { contents } = await this.#client.readResource({ uri: ui.resourceUri });
    const [content] = contents;
    assert.ok(content !== undefined && 'text' in content);
    assert.equal(content.mimeType, 'text/html;profile=mcp-app');
    const { csp } = (content._meta as { ui: { csp: Csp } }).ui;
    const result = await this.#client.callTool({ name: tool, arguments: input });
    if (options.answer !== undefined && result.structuredContent !== undefined)
      result.structuredContent = options.answer(result.structuredContent as Record<string, unknown>);
    const context = {
      theme: this.#view.scheme,
      locale: 'en-GB',
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
      ...options.context,
    };
    const shown = {
      html: underPolicy(content.text, options.loads === false ? {} : csp),
      input,
      result,
      context,
    };
    await this.page.evaluate(`openView(${JSON.stringify(shown)})`);
    return this.page.frameLocator('iframe');
  }

  async changeContext(change: Record<string, unknown>): Promise<void> {
    await this.page.evaluate(`changeContext(${JSON.stringify(change)})`);
  }

  /** Runs a script inside the frame. */
  async inside(script: string): Promise<unknown> {
    return (await this.#frame()).evaluate(script);
  }

  /** Waits until something holds inside the frame, whose policy lets nobody wait in it. */
  async until(script: string): Promise<void> {
    await until(script, () => this.inside(script));
  }

  async barriers(): Promise<string[]> {
    return barriersIn(await this.#frame());
  }

  /** Saves a picture of all of the view: a browser paints a frame only as far as its window goes. */
  async picture(name: string): Promise<void> {
    const { width, height } = this.#view;
    const needed = Number(await this.page.evaluate('document.documentElement.scrollHeight'));
    await this.page.setViewportSize({ width, height: Math.max(height, needed) });
    await screenshot(this.page, `view ${name} ${this.#view.name}`);
    await this.page.setViewportSize({ width, height });
  }

  /** The frame that is shown now; one from before may still be going away. */
  async #frame(): Promise<Frame> {
    const element = await this.page.waitForSelector('iframe');
    const frame = await element.contentFrame();
    assert.ok(frame);
    return frame;
  }

  told(kind: string): unknown[] {
    return this.noted.filter((one) => one.kind === kind).map(({ told }) => told);
  }
}

/** The policy that the extension wants hosts to make of what a view declares; all else is forbidden. */
function underPolicy(html: string, { resourceDomains = [], connectDomains = [] }: Csp): string {
  const from = resourceDomains.join(' ');
  const policy = [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${from}`,
    `style-src 'unsafe-inline' ${from}`,
    `img-src data: ${from}`,
    `font-src data: ${from}`,
    `media-src data: ${from}`,
    `connect-src ${connectDomains.join(' ') || "'none'"}`,
    "frame-src 'none'",
    "base-uri 'none'",
  ].join('; ');
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

const PAGE = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
<style>body { margin: 0; padding: 16px; background: light-dark(#fff, #212121); color-scheme: light dark }
iframe { display: block; width: 100%; max-width: 45rem; margin: auto; border: 1px solid #8885; border-radius: 12px; height: 200px }</style>
<body><script type="module" src="/host.js"></script></body></html>`;

/** The page of the host, which every test of a file shares. */
const ORIGIN = await serveHostPage();

async function serveHostPage(): Promise<string> {
  const made = await build({
    entryPoints: [fileURLToPath(new URL('host-page.js', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  const script = made.outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    if (request.url === '/host.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
