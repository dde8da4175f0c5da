import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PHOTO_DIR } from '../harness/service/program.ts';
import { USER_AGENT } from '../harness/service/service.ts';
import { PATIENCE_MS } from '../harness/patience.ts';

const LOOK_MS = 5_000;

/** A node as a person starts it, which a test may kill and start again on the same port. */
export class KilledNode {
  readonly #databaseUrl: string;
  readonly #settings: Record<string, string>;
  readonly dataDir = mkdtempSync(join(tmpdir(), 'waypost-killed-'));
  readonly #log: number | 'inherit';
  #port = 0;
  #child: ChildProcess | undefined;

  /** Logs to a file, if one is given. */
  constructor(databaseUrl: string, settings: Record<string, string>, log: number | 'inherit' = 'inherit') {
    this.#databaseUrl = databaseUrl;
    this.#settings = settings;
    this.#log = log;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#port ||= await freePort();
    const env = {
      ...process.env,
      DATABASE_URL: this.#databaseUrl,
      DATA_DIR: this.dataDir,
      PHOTO_DIR,
      PORT: String(this.#port),
      DEMO: 'off',
      DRAIN_MS: '0',
      PROBE_WEBSITES: 'off',
      LOG_LEVEL: 'fatal',
      ...this.#settings,
    };
    const child = spawn(process.execPath, ['test/harness/service/tuned-start.ts'], {
      env,
      stdio: ['ignore', 'ignore', this.#log],
    });
    this.#child = child;
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      if (child.exitCode !== null) throw new Error(`The node ended with ${child.exitCode}.`);
      if (await this.isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The node did not become ready.');
  }

  async isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(LOOK_MS);
    const response = await fetch(`${this.url}/readyz`, { signal }).catch(() => undefined);
    return response?.status === 200;
  }

  /** Whether it has ended, of itself or because it was killed. */
  get hasEnded(): boolean {
    const child = this.#child;
    return child === undefined || child.exitCode !== null || child.signalCode !== null;
  }

  /** Stops its clockwork, or lets it go on, without its knowing. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.kill(signal)) await ended;
    }
    if (signal === 'SIGTERM') rmSync(this.dataDir, { recursive: true, force: true });
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
