import { accessSync, constants, existsSync, writeSync } from 'node:fs';
import { installFromDebian } from './install.ts';

const STANDARD_ERROR = 2;

/**
 * Finds a program of Debian's, or installs its package where root may and nothing is started by that. In CI its absence is
 * a failure; elsewhere it is the reason for which a test says that it was not run.
 */
export async function debianProgram(
  path: string,
  packageName: string,
): Promise<{ path: string } | { missing: string }> {
  // Tests print what they say when they are over. This must be read before.
  const note = (message: string) => writeSync(STANDARD_ERROR, `${message}\n`);
  if (!canRun(path) && !startsServers()) await installFromDebian(packageName, 'for a test', note);
  if (canRun(path)) return { path };
  const missing = `${path} was not found: install it (Debian: apt-get install ${packageName}). This was NOT RUN.`;
  if (process.env['CI']) throw new Error(missing);
  return { missing };
}

/** Where systemd runs, a package of a server would start it, on addresses of its own choice. */
function startsServers(): boolean {
  return existsSync('/run/systemd/system');
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
