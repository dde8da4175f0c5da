import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { until } from './jobs.ts';

/** All programs of a test file share their photos, as nodes of one database must. */
export const PHOTO_DIR = mkdtempSync(join(tmpdir(), 'waypost-photos-'));
after(() => {
  rmSync(PHOTO_DIR, { recursive: true, force: true });
});

export const CHECKOUT = join(import.meta.dirname, '../../..');

export interface Program {
  child: ChildProcess;
  url: string;
  /** Its output so far, on standard output and standard error. */
  said: { out: string; error: string };
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/**
 * Starts the service as a person or a container does, in a process group of its own and with a folder of its own.
 * What is left of the group is killed after the test file.
 */
export function startProgram(argv: readonly string[], settings: Record<string, string>): Program {
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-program-'));
  const [command = '', ...args] = argv;
  const child = spawn(command, args, {
    cwd: CHECKOUT,
    detached: true,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PHOTO_DIR,
      DEMO: 'off',
      PROBE_WEBSITES: 'off',
      DRAIN_MS: '0',
      LOG_LEVEL: 'fatal',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.error += chunk.toString()));
  after(() => {
    endGroup(child);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, url: `http://127.0.0.1:${settings['PORT'] ?? ''}`, said, ended };
}

/** Waits until it answers that it is ready; should it end before, what it said is in the error. */
export async function untilReady(program: Program): Promise<void> {
  await until('the service is ready', async () => {
    const { exitCode, signalCode } = program.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`It ended: ${program.said.error}`);
    const response = await fetch(`${program.url}/readyz`).catch(() => undefined);
    return response?.status === 200;
  });
}

/**
 * Waits until connections are refused. A connection that comes while the last listener closes may stay without an answer
 * until the program ends, so each one gets two seconds.
 */
export async function untilRefused({ url }: Program): Promise<void> {
  await until('the service takes no more connections', () =>
    fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      () => false,
      (error: unknown) => (error as Error).name !== 'TimeoutError',
    ),
  );
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

/** The program may live on although the one that started it has ended. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
