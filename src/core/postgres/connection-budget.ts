/** Numbers of connections of the pools of one process. */
export interface PoolSizes {
  write: number;
  read: number;
  jobs: number;
}

/** Connections that take jobs and record their ends: short statements, which all kinds share. */
export const QUEUE_CONNECTIONS = 2;
/** One connection listens, and a build of the index uses two. */
const FIXED = 1 + QUEUE_CONNECTIONS + 2;
const LEAST = { write: 3, read: 2, jobs: 6 };
/** Enough for all slots of jobs that wait for somebody outside, with some for the others. */
const JOBS_MAX = 21;

export const BUDGET_MIN = FIXED + LEAST.write + LEAST.read + LEAST.jobs;

/** Divides the connections of a node among its pools. */
export function poolSizes(budget: number): PoolSizes {
  const rest = budget - FIXED;
  const jobs = Math.min(JOBS_MAX, Math.max(LEAST.jobs, Math.round(rest * 0.45)));
  const read = Math.max(LEAST.read, Math.round((rest - jobs) * 0.3));
  return { write: rest - jobs - read, read, jobs };
}

/** The same for a node with serving processes, which share what the main process leaves: it answers no requests. */
export function poolSizesOfServing(budget: number, processes: number): PoolSizes {
  const { write, read } = poolSizes(budget);
  const share = (all: number, least: number) => Math.max(least, Math.floor((all - least) / processes));
  return { write: share(write, LEAST.write), read: share(read, LEAST.read), jobs: 0 };
}

export function poolSizesOfMain(budget: number): PoolSizes {
  return { ...LEAST, jobs: poolSizes(budget).jobs };
}
