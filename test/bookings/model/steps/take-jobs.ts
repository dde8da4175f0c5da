import { TASKS } from '../../../../src/node/tasks.ts';
import { transactionsOf } from '../../../../src/core/postgres/db.ts';
import { Crash } from '../crash-points.ts';
import type { Node, World } from '../world.ts';

/** The jobs by which bookings go on. Webhooks are queued and counted here, and delivered elsewhere. */
const OURS = [
  'advance_booking',
  'advance_choice',
  'advance_in_system',
  'deliver_message',
  'deliver_venue_mail',
  'deliver_venue_text',
  'venue_message_finished',
] as const;
type Ours = (typeof OURS)[number];

interface Due {
  id: string;
  task: Ours;
  payload: object;
}

/** Whatever is due now, as the queue would hand it out. */
export function dueJobs({ pool }: World): Promise<Due[]> {
  return pool<Due[]>`
    select j.id::text as id, t.identifier as task, j.payload
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()
      and t.identifier = any(${[...OURS]}::text[])
    order by j.run_at, j.id`;
}

/** How long it is until something is due; undefined when nothing ever will be. */
export async function untilNextJob({ pool }: World): Promise<number | undefined> {
  const [next] = await pool<{ ms: number | null }[]>`
    select extract(epoch from min(j.run_at) - now())::float8 * 1000 as ms
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.attempts < j.max_attempts and t.identifier = any(${[...OURS]}::text[])`;
  return next?.ms ?? undefined;
}

/**
 * Does one job as the queue has it done: it is locked first and goes when it is done. One whose node died stays locked
 * until time passes. Gives what went wrong, if something did.
 */
export async function takeJob(
  world: World,
  node: Node,
  { id, task, payload }: Due,
): Promise<string | undefined> {
  const { pool } = world;
  const [taken] = await pool`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = ${node.name}, attempts = attempts + 1
    where id = ${id}::bigint and locked_at is null returning 1`;
  if (taken === undefined) return undefined;
  const fault = await runTask(node, task, payload);
  if (fault === 'crashed') return undefined;
  if (fault === undefined) await pool`delete from graphile_worker._private_jobs where id = ${id}::bigint`;
  else
    await pool`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now() + interval '1 minute'
      where id = ${id}::bigint`;
  return fault;
}

export async function runTask(node: Node, task: Ours, payload: object): Promise<string | undefined> {
  const { deps } = node.app;
  const { signal } = new AbortController();
  const known = TASKS[task];
  try {
    await known.run({ deps, inTransaction: transactionsOf(deps.pool), signal }, known.payload.parse(payload));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Crash) return 'crashed';
    return `${task} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

const ROUNDS_MAX = 60;

/** Does whatever is due, and what becomes due by it. */
export async function workOff(
  world: World,
  node: Node,
  order: 'first' | 'last' = 'first',
): Promise<string[]> {
  const faults: string[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await dueJobs(world);
    const job = due.at(order === 'first' ? 0 : -1);
    if (job === undefined) return faults;
    const crashes = node.points.crashes;
    const fault = await takeJob(world, node, job);
    if (fault !== undefined) faults.push(fault);
    // A node that died does no more jobs.
    if (node.points.crashes > crashes) return faults;
  }
  return [...faults, 'the queue is never empty'];
}

/** Lets time pass while both nodes do what becomes due, when it does. */
export async function workFor(world: World, spanMs: number): Promise<string[]> {
  const { a, b } = world.nodes;
  const faults: string[] = [];
  let left = spanMs;
  for (let turn = 0; left > 0; turn++) {
    faults.push(...(await workOff(world, turn % 2 === 0 ? a : b)));
    const next = Math.max(1_000, Math.ceil((await untilNextJob(world)) ?? left) + 1_000);
    await world.pass(Math.min(left, next));
    left -= next;
  }
  return [...faults, ...(await workOff(world, a))];
}
