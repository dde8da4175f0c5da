import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { RELEASE } from '../../core/release.ts';
import { currentFile } from '../../search/store/index-files.ts';
import { tryOpenIndex } from '../../search/store/open-index.ts';
import { reasonOf, type Check } from './finding.ts';

type MachineCheck = Check<{ config: Config }>;

const NODE_MIN = 26;
const GB = 2 ** 30;
const FREE_FAULT_BYTES = GB / 2;
const FREE_WARNING_BYTES = 4 * GB;

const checkVersions: MachineCheck = () => {
  const name = 'Versions';
  const text = `Waypost ${RELEASE.version} (${RELEASE.commit.slice(0, 12)}), Node ${process.versions.node}, ${process.platform} ${process.arch}.`;
  if (Number.parseInt(process.versions.node, 10) >= NODE_MIN) return { name, state: 'ok', text };
  return {
    ...{ name, state: 'fault', text },
    fix: `The program needs Node ${NODE_MIN}. npm ci installs it: node_modules/.bin/node src/cli.ts doctor.`,
  };
};

const checkDisk: MachineCheck = async ({ config: { dataDir } }) => {
  const name = 'Disk';
  const folder = existingFolder(dataDir);
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const text = `${(free / GB).toFixed(1)} GB are free for ${dataDir}.`;
    const fix = 'Free disk space, or move DATA_DIR: a full disk stops the database and the search index.';
    if (free < FREE_FAULT_BYTES) return { name, state: 'fault', text, fix };
    if (free < FREE_WARNING_BYTES) return { name, state: 'warning', text, fix };
    return { name, state: 'ok', text };
  } catch (thrown) {
    return {
      ...{ name, state: 'fault', text: `${folder} cannot be written: ${reasonOf(thrown)}.` },
      fix: 'Start as the user that DATA_DIR belongs to.',
    };
  }
};

function existingFolder(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingFolder(dirname(path));
}

const checkIndex: MachineCheck = async ({ config: { dataDir } }) => {
  const name = 'Search index';
  const current = currentFile(join(dataDir, 'index'));
  if (current === undefined)
    return {
      ...{ name, state: 'warning', text: `There is none in ${dataDir} yet.` },
      fix: 'The next start of the service builds it, or fetches it from another node.',
    };
  const index = tryOpenIndex(current.file, true);
  if (index === undefined)
    return {
      ...{ name, state: 'warning', text: 'It is of another version of the program, or damaged.' },
      fix: 'The next start of the service replaces it.',
    };
  const { places, fileBytes } = index.store.size();
  await index.store.close();
  const text = `${places.toLocaleString('en')} places in ${(fileBytes / 2 ** 20).toFixed(0)} MB.`;
  return { name, state: 'ok', text };
};

export const MACHINE_CHECKS: readonly MachineCheck[] = [checkVersions, checkDisk, checkIndex];
