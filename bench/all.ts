import { spawnSync } from 'node:child_process';

// Every benchmark after the other, each in a process of its own, and then the charts. One that fails does not stop the rest.
const PROGRAMS = [
  'search',
  'scale',
  'engines',
  'judged',
  'judged/strays',
  'mcp/destinations',
  'tasks',
  'import/import',
  'writes/bookings',
  'writes/photos',
  'writes/submissions',
  'writes/sign-ups',
  'pages',
  'queues',
  'sign-in',
  'start',
  'years',
  'charts',
];

const failed: string[] = [];
for (const program of PROGRAMS) {
  process.stdout.write(`\n=== ${program}\n`);
  const file = new URL(`${program}.ts`, import.meta.url).pathname;
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit', env: environmentOf(program) });
  if (status !== 0) failed.push(program);
}
const verdict = failed.length === 0 ? 'All of them ran.' : `These failed: ${failed.join(', ')}.`;
process.stdout.write(`\n${verdict} The figures stand in bench/results.md.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** bench:search changes the settings of its PostgreSQL, so that it has a folder beside those of bench:scale. */
function environmentOf(program: string): NodeJS.ProcessEnv {
  const folder = process.env['BENCH_DATA_DIR'];
  if (folder === undefined || program !== 'search') return process.env;
  return { ...process.env, BENCH_DATA_DIR: `${folder}/search` };
}
