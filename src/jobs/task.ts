import type { z } from 'zod';
import type { StepContext } from '../core/context.ts';
import type { Kind } from './kinds.ts';

/** What the job runner gives to a task. */
export interface Job extends StepContext {
  /** Ends with the service, or when the job has taken longer than its kind may. */
  signal: AbortSignal;
}

/**
 * One sort of work that is done outside a request. It may be called again for a job that it has already done, because a
 * process can die before that is noted: it looks at what is recorded and does only what is missing.
 */
export interface Task<Payload extends z.ZodObject = z.ZodObject> {
  /** Whose places on a node it takes. */
  kind: Kind;
  payload: Payload;
  run(job: Job, payload: z.output<Payload>): Promise<void>;
}

/** What each job is told, by the name under which it is queued. A module adds its own beside the task. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the modules fill it
export interface Payloads {}

export type TaskName = keyof Payloads;

export function defineTask<Payload extends z.ZodObject>(task: Task<Payload>): Task {
  return task;
}
