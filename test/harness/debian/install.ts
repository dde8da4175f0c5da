import { spawnSync } from 'node:child_process';

/** Two test processes may want a package at the same time; the second waits for the first. */
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=300'];

/** Installs a package of Debian's where that is possible, and says so before anything is changed on the machine. */
export function installFromDebian(
  packageName: string,
  purpose: string,
  note: (message: string) => unknown,
): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  const command = ['install', '-y', '--no-install-recommends', packageName];
  note(`Installing ${packageName} ${purpose}: apt-get ${command.join(' ')} …`);
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', [...WAIT_FOR_OTHERS, ...args], { stdio: 'ignore' }).status;
  if (aptGet(...command) === 0) return;
  // The list of packages may be older than the packages are.
  aptGet('update');
  aptGet(...command);
}
