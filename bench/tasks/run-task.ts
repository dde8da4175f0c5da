import { Host } from './host.ts';
import { askModel, type ModelSettings } from './model.ts';
import { Planner } from './planner/plan.ts';
import { byWeb } from './planner/web-road.ts';
import type { Mode, Outcome, Surface, Task } from './task.ts';

export interface Run {
  name: string;
  surface: Surface;
  mode: Mode;
  solved: boolean;
  calls: number;
  bytes: number;
  seenBytes: number;
  deadEnds: number;
  trace: readonly string[];
}

/** Does one task in one mode: by a model where one is given, else by the planner. */
export async function runTask(
  base: string,
  task: Task,
  mode: Mode,
  model: ModelSettings | undefined,
): Promise<Run> {
  const host = await Host.open(base, task, mode);
  const outcome = await attempt(host, task, model);
  const solved = await task.solved(outcome);
  const { name, surface } = task;
  return { name, surface, mode, solved, deadEnds: outcome.deadEnds, trace: host.trace, ...host.counts };
}

async function attempt(
  host: Host,
  task: Task,
  model: ModelSettings | undefined,
): Promise<Outcome & { deadEnds: number }> {
  if (task.byWeb === true) return byWeb(host, task);
  if (model !== undefined) return askModel(host, task, model);
  const planner = new Planner(host, task);
  const outcome = await planner.run();
  return { ...outcome, deadEnds: planner.deadEnds };
}
