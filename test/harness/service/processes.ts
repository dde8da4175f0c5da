import { readdir, readFile } from 'node:fs/promises';

/** Lists the processes that a process has started, such as the backends of a server. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/stat`, 'utf8').then(
        (stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
        () => 0,
      ),
    ),
  );
  return pids.filter((_, at) => parents[at] === parent);
}

/** Stops a process and its children where they are. Returns them in the order in which they are to be thawed. */
export async function freezeFamily(parent: number): Promise<number[]> {
  // The parent is first, so that it starts no more children; it is the last to be thawed.
  signalAll([parent], 'SIGSTOP');
  const children = await childrenOf(parent);
  signalAll(children, 'SIGSTOP');
  return [...children, parent];
}

/** Signals processes. One that has ended in the meantime is left out: connections of a server end at any time. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
    }
  }
}
