import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PHOTO_DIR } from '../harness/service/program.ts';
import { USER_AGENT } from '../harness/service/service.ts';

const READY_MS = 60_000;

/** A node as a person starts it, which a test may kill and start again on the same port. */
export class KilledNode {
  readonly #databaseUrl: string;
  readonly #settings: Record<string, string>;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'waypost-killed-'));
  #port = 0;
  #child: ChildProcess | undefined;

  constructor(databaseUrl: string, settings: Record<string, string>) {
    this.#databaseUrl = databaseUrl;
    this.#settings = settings;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#port ||= await freePort();
    const env = {
      ...process.env,
      ...this.#settings,
      DATABASE_URL: this.#databaseUrl,
      DATA_DIR: this.#dataDir,
      PHOTO_DIR,
      PORT: String(this.#port),
      DEMO: 'off',
      DRAIN_MS: '0',
      PROBE_WEBSITES: 'off',
      LOG_LEVEL: 'fatal',
    };
    this.#child = spawn(process.execPath, ['src/cli.ts', 'start'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const giveUpAt = performance.now() + READY_MS;
    while (performance.now() < giveUpAt) {
      const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (response?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The node did not become ready.');
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    }
    if (signal === 'SIGTERM') rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** Calls a tool of the concierge and gives the answer as text. */
  async call(key: string, name: string, input: object): Promise<string> {
    const response = await fetch(`${this.url}/api/concierge/mcp`, {
      method: 'POST',
      headers: {
        'user-agent': USER_AGENT,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-partner-key': key,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    });
    return response.text();
  }

  /** Answers a tap page as a browser without script does. */
  async tap(link: string, fields: Record<string, string>): Promise<void> {
    const page = await (await fetch(this.url + link, { headers: { accept: 'text/html' } })).text();
    const nonce = /name="nonce" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await fetch(this.url + link, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ nonce, ...fields }).toString(),
    });
  }
}
