import type { z } from 'zod';
import type { StepContext } from '../core/context.ts';
import type { Kind } from './kinds.ts';

export interface Job extends StepContext {
  /** Aborted when the service ends, or when the job exceeds the time limit of its kind. */
  signal: AbortSignal;
}

/** One type of background work. It may run again for a job that is already done, so it must check the state. */
export interface Task<Payload extends z.ZodObject = z.ZodObject> {
  kind: Kind;
  payload: Payload;
  run(job: Job, payload: z.output<Payload>): Promise<void>;
}

/** Payload types by task name. Each module adds its own beside the task. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the modules fill it
export interface Payloads {}

export type TaskName = keyof Payloads;

export function defineTask<Payload extends z.ZodObject>(task: Task<Payload>): Task {
  return task;
}
