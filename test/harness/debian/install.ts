import { spawn } from 'node:child_process';

/** Two test processes may want a package at the same time; the second waits for the first. */
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=300'];

/** Installs a package of Debian's where that is possible, and says so before anything is changed on the machine. */
export async function installFromDebian(
  packageName: string,
  purpose: string,
  note: (message: string) => unknown,
): Promise<void> {
  if (process.getuid?.() !== 0 || (await aptGet('--version')) !== 0) return;
  const command = ['install', '-y', '--no-install-recommends', packageName];
  note(`Installing ${packageName} ${purpose}: apt-get ${command.join(' ')} …`);
  if ((await aptGet(...WAIT_FOR_OTHERS, ...command)) === 0) return;
  // The list of packages may be older than the packages are.
  await aptGet(...WAIT_FOR_OTHERS, 'update');
  await aptGet(...WAIT_FOR_OTHERS, ...command);
}

/** Returns its exit code; null when it is not there or was killed. */
function aptGet(...args: string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const program = spawn('apt-get', args, { stdio: 'ignore' });
    program.once('error', () => {
      resolve(null);
    });
    program.once('close', resolve);
  });
}
