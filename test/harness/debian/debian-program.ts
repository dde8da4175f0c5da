import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';

/**
 * Finds a program of Debian's, or installs its package where root may and nothing is started by that. In CI its absence is
 * a failure; elsewhere it is the reason for which a test says that it was not run.
 */
export function debianProgram(path: string, packageName: string): { path: string } | { missing: string } {
  if (!canRun(path) && process.getuid?.() === 0 && installsQuietly()) {
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', packageName], { stdio: 'ignore' });
  }
  if (canRun(path)) return { path };
  const missing = `${path} was not found: install it (Debian: apt-get install ${packageName}). This was NOT RUN.`;
  if (process.env['CI']) throw new Error(missing);
  return { missing };
}

/** Where systemd runs, a package of a server would start it, on addresses of its own choice. */
function installsQuietly(): boolean {
  return !existsSync('/run/systemd/system') && spawnSync('apt-get', ['--version']).status === 0;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
