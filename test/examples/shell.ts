import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { CHECKOUT } from '../harness/service/program.ts';

/** The result of a pasted script: its output, and the answer to each of its calls. */
export interface Pasted {
  out: string;
  error: string;
  code: number;
  statuses: number[];
}

/**
 * The shell of somebody who pastes what documents print. What one script sets, the next one has. Nothing is added to a
 * script: curl writes the status of each answer to standard error because its own settings say so.
 */
export class ReadersShell {
  readonly folder = mkdtempSync(join(tmpdir(), 'waypost-reader-'));
  readonly #variables: string;
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    after(() => {
      rmSync(this.folder, { recursive: true, force: true });
    });
    this.#variables = join(this.folder, 'variables');
    writeFileSync(this.#variables, '');
    writeFileSync(
      join(this.folder, '.curlrc'),
      'silent\nshow-error\nwrite-out = "%{stderr}status %{http_code}\\n"\n',
    );
    this.#installClient();
    this.#env = { PATH: process.env['PATH'] ?? '', HOME: this.folder, CURL_HOME: this.folder, ...env };
  }

  /** Pastes a script. A variable that nothing has set ends it. */
  paste(script: string, cwd = this.folder): Promise<Pasted> {
    const keep = `compgen -v | grep -E '^([A-Z]+_)*(KEY|ID|URL|DATE|EMAIL|SECRET)$' | while read -r name; do declare -p "$name"; done > '${this.#variables}'`;
    const whole = `set -u\n. '${this.#variables}'\n${script}\nended=$?\n${keep}\nexit $ended`;
    return new Promise((resolve) => {
      const child = execFile('bash', ['-c', whole], { cwd, env: this.#env }, (_error, out, error) => {
        const statuses = [...error.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
        resolve({ out, error, code: child.exitCode ?? 1, statuses });
      });
    });
  }

  async value(name: string): Promise<string> {
    return (await this.paste(`printf %s "$${name}"`)).out;
  }

  /** Starts a program of a document in Node, as somebody does who saved it as a module. */
  node(
    code: string,
    env: Record<string, string>,
  ): { printed: () => string; stop: () => void; ended: Promise<number | null> } {
    const file = join(this.folder, 'program.mjs');
    writeFileSync(file, code);
    const child = spawn(process.execPath, [file], { cwd: this.folder, env: { ...this.#env, ...env } });
    after(() => child.kill());
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return {
      printed: () => text,
      stop: () => child.kill(),
      ended: new Promise((resolve) => child.on('close', resolve)),
    };
  }

  /** The typed client under its name, from its source: what the package holds is another test's matter. */
  #installClient(): void {
    const installed = join(this.folder, 'node_modules/waypost-client');
    mkdirSync(installed, { recursive: true });
    symlinkSync(join(CHECKOUT, 'packages/client/src'), join(installed, 'src'));
    const exports = { '.': './src/waypost.ts', './webhooks': './src/webhooks.ts' };
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports }));
  }
}
