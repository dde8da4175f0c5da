import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { modelFrom } from './tasks/model.ts';
import { report } from './tasks/report.ts';
import { runTask, type Run } from './tasks/run-task.ts';
import { allTasks } from './tasks/set/all.ts';
import { MODES } from './tasks/task.ts';
import { World } from './tasks/world/world.ts';
import { onlyWhatIsSaid, wording } from './tasks/wording.ts';

// Tasks as agents get them, done by a program that sees only what a model would see, once by text and once by
// structured content. --service takes the service from another checkout, --before keeps its figures as those before;
// --only does the tasks whose names hold some words, --trace prints every request.
const { values } = parseArgs({
  options: {
    service: { type: 'string' },
    before: { type: 'boolean', default: false },
    only: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const folder = resolve(values.service ?? new URL('..', import.meta.url).pathname);
const model = modelFrom(process.env);
process.stdout.write(`Starting the service of ${folder} with the demonstration …\n`);
const world = await World.start(folder);
const runs: Run[] = [];
try {
  let number = 0;
  for (const make of allTasks) {
    for (const mode of MODES) {
      const task = onlyWhatIsSaid(await make(world, number++));
      const asked = wording(task);
      if (values.only !== undefined && !`${task.surface} ${task.name}`.includes(values.only)) continue;
      const run = await runTask(world.url, task, mode, model);
      runs.push(run);
      process.stdout.write(
        `${run.solved ? 'solved  ' : 'UNSOLVED'} ${run.surface.padEnd(9)} ${mode.padEnd(10)} ${run.calls} calls, ${run.bytes.toLocaleString('en')} bytes, ${run.deadEnds} dead ends: ${run.name}\n`,
      );
      if (values.trace)
        process.stdout.write(`  "${asked}"\n${run.trace.map((line) => `  ${line}\n`).join('')}`);
    }
  }
} finally {
  await world.close();
}
report(runs, { before: values.before, whole: values.only === undefined, model: model?.model });
