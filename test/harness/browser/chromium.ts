import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from '../debian/install.ts';

/** The same Chromium without windows, which does the same pages in half of the CPU time. */
const SHELL = 'chromium-headless-shell';
const PURPOSE = 'for the browser tests';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Finds a Chromium, or installs Debian's when that is possible; in CI the one without windows in any case.
 * In CI its absence is a failure; elsewhere one line says how to get it.
 */
export async function ensureChromium(note: (message: string) => unknown): Promise<string | undefined> {
  const installed = findChromium();
  const slow = process.env['CI'] && !process.env['CHROMIUM'] && !installed?.endsWith(SHELL);
  if (installed === undefined || slow) await installFromDebian(SHELL, PURPOSE, note);
  // Older releases have it with windows only.
  if (findChromium() === undefined) await installFromDebian('chromium', PURPOSE, note);
  const found = findChromium();
  if (found !== undefined) return found;
  const message =
    'No Chromium was found: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path.';
  if (process.env['CI']) throw new Error(message);
  note(`${message} The browser tests are SKIPPED.`);
  return undefined;
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
