import type { Deps } from '../core/context.ts';

/**
 * Does one job. It may be called again for a job that it has already done, because a process can die before that is
 * noted: it must look at what is recorded and do only what is missing. The signal ends with the service.
 */
export type Task = (deps: Deps, payload: unknown, signal: AbortSignal) => Promise<void>;
