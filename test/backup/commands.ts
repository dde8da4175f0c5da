import { execFile } from 'node:child_process';
import { CHECKOUT } from '../harness/service/program.ts';

export interface Said {
  code: number;
  out: string;
  error: string;
}

/** A command as an operator types it, without settings of anybody else. */
export function waypost(words: readonly string[], settings: Record<string, string>): Promise<Said> {
  const env = { PATH: process.env['PATH'], DEMO: 'off', LOG_LEVEL: 'fatal', ...settings };
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
