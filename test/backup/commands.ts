import { execFile } from 'node:child_process';
import { mock } from 'node:test';
import { runCommand } from '../../src/commands/run-command.ts';
import { CHECKOUT, freePort } from '../harness/service/program.ts';

export interface Said {
  code: number;
  out: string;
  error: string;
}

/** A command as an operator types it, without settings of anybody else. */
export function waypost(words: readonly string[], settings: Record<string, string>): Promise<Said> {
  const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...settingsOf(settings) };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/cli.ts', ...words],
      { cwd: CHECKOUT, env, maxBuffer: 2 ** 24 },
      (error, out, said) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, error: said });
      },
    );
  });
}

/** The same in this process, which takes less time. Only one at a time. */
export async function waypostHere(words: readonly string[], settings: Record<string, string>): Promise<Said> {
  const { env } = process;
  const said = { out: '', error: '' };
  const out = mock.method(process.stdout, 'write', (chunk: unknown) => Boolean((said.out += String(chunk))));
  const error = mock.method(process.stderr, 'write', (chunk: unknown) =>
    Boolean((said.error += String(chunk))),
  );
  // As a shell leaves it.
  const umask = process.umask(0o022);
  process.env = settingsOf(settings);
  try {
    const code = await runCommand([...words]);
    return { code, ...said };
  } finally {
    process.env = env;
    process.umask(umask);
    out.mock.restore();
    error.mock.restore();
  }
}

/** A start of the service in this process, which must fail. What it hears of the process is taken off again. */
export async function startHere(settings: Record<string, string>): Promise<Said> {
  const events = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const;
  const before = events.map((event) => process.rawListeners(event));
  try {
    return await waypostHere(['start'], { PORT: String(await freePort()), ...settings });
  } finally {
    for (const [at, event] of events.entries())
      for (const added of process.rawListeners(event))
        if (before[at]?.includes(added) !== true) process.off(event, added);
  }
}

function settingsOf(settings: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], DEMO: 'off', LOG_LEVEL: 'fatal', ...settings };
}
