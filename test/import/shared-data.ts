import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../shared/data');

/** A file of the real data that lies beside the project on some machines. */
export function sharedFile(name: string): string {
  return join(FOLDER, name);
}

/** Test options that skip with a notice where the real data is missing. */
export function needsSharedFile(name: string): { skip: string | false } {
  return { skip: existsSync(sharedFile(name)) ? false : `the shared file ${name} is not on this machine` };
}

/** Test options that skip with a notice where osmium, the reference to compare with, is missing as well. */
export function needsOsmium(name: string): { skip: string | false } {
  const missing = spawnSync('osmium', ['--version']).status !== 0;
  return missing ? { skip: 'osmium-tool is not on this machine' } : needsSharedFile(name);
}
