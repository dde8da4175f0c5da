import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
/** Without a .env file. */
const cwd = mkdtempSync(join(tmpdir(), 'waypost-command-'));
after(() => {
  rmSync(cwd, { recursive: true, force: true });
});

/** Runs a command as an operator does. */
export function runWaypost(
  args: string[],
  settings: Record<string, string>,
): Promise<{ code: number; out: string; error: string }> {
  const options = { cwd, env: { ...process.env, ...settings } };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], options, (failure, out, error) => {
      resolve({ code: typeof failure?.code === 'number' ? failure.code : 0, out, error });
    });
  });
}
