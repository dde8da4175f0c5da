import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Finds a Chromium, or installs Debian's when that is possible. In CI its absence is a failure, elsewhere a loud skip. */
export async function ensureChromium(note: (message: string) => unknown): Promise<string | undefined> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    note('Installing Chromium for the browser tests …');
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore' });
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
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
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
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
