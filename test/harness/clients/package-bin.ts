import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  /** Where the program may keep files of its own, so that it reads and writes nothing of the person who runs the tests. */
  home: string;
  timeoutMs: number;
  /** Hears what the program prints while it runs, for one that waits for somebody. */
  hear?: (printed: string) => void;
  env?: Record<string, string>;
}

/** Runs a program of an installed package with this Node. One that hangs is killed, and that is an error. */
export async function runPackageBin(
  packageName: string,
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Finished> {
  const path = findPackageJSON(packageName, import.meta.url);
  if (path === undefined) throw new Error(`${packageName} is not installed.`);
  const { bin } = JSON.parse(await readFile(path, 'utf8')) as { bin: Record<string, string> };
  const script = bin[program];
  if (script === undefined) throw new Error(`${packageName} has no program ${program}.`);
  return runNode([join(dirname(path), script), ...args], options);
}

function runNode(
  args: readonly string[],
  { home, timeoutMs, hear, env: own }: RunOptions,
): Promise<Finished> {
  // The environment is made from nothing: a proxy or a token of the surroundings must not change what is tested.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, HOME: home, NO_COLOR: '1', NODE_COMPILE_CACHE, ...own };
  const options = {
    cwd: home,
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(new Error(`The program did not end by itself.\n${stdout}\n${stderr}`, { cause: error }));
    });
    if (hear === undefined) return;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        hear(String(chunk));
      });
  });
}
