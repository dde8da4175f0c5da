import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The same Chromium without windows, which does the same pages in half of the CPU time. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Finds a Chromium, or installs Debian's when that is possible; in CI, where every second counts, the one without windows.
 * In CI its absence is a failure, elsewhere a loud skip.
 */
export async function ensureChromium(note: (message: string) => unknown): Promise<string | undefined> {
  const given = process.env['CHROMIUM'];
  if (!given && process.env['CI'] && !findChromium()?.endsWith(SHELL)) installFromDebian(SHELL, note);
  if (findChromium() === undefined) installFromDebian('chromium', note);
  const found = findChromium();
  if (found !== undefined) return found;
  const message =
    'No Chromium was found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path.';
  if (process.env['CI']) throw new Error(message);
  note(`\n!! ${message}\n!! The browser tests are SKIPPED.\n`);
  return Promise.resolve(undefined);
}

function findChromium(): string | undefined {
  const given = process.env['CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    ...(given ? [given] : []),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function installFromDebian(packageName: string, note: (message: string) => unknown): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  note('Installing Chromium for the browser tests …');
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', packageName], { stdio: 'ignore' })
      .status;
  if (install() === 0) return;
  spawnSync('apt-get', ['update'], { stdio: 'ignore' });
  install();
}
