import { held } from '../measure.ts';
import { readSections, writeResults } from '../results.ts';
import type { Run } from './run-task.ts';
import { MODES, type Mode, type Surface } from './task.ts';

const TITLE = 'Tasks for agents';
const BEFORE = 'Tasks for agents, before';
const SURFACES: readonly Surface[] = ['agent', 'partner', 'concierge'];
const RATIO_BAR = 0.5;

interface Figures {
  tasks: number;
  solved: number;
  calls: number;
  bytes: number;
  seenBytes: number;
  deadEnds: number;
}

/** The cost of one task in one mode, kept so that a later run can be compared task by task. */
type Kept = Record<string, Pick<Run, 'solved' | 'calls' | 'bytes'>>;

const keyOf = ({ surface, name, mode }: Pick<Run, 'surface' | 'name' | 'mode'>) =>
  `${surface}: ${name} (${mode})`;

/** Prints what the runs came to and, where all tasks were done, writes it to the results. */
export function report(
  runs: readonly Run[],
  options: { before: boolean; whole: boolean; model: string | undefined },
): void {
  const rows = [
    ...SURFACES.flatMap((surface) => MODES.map((mode) => row(runs, surface, mode))),
    row(runs, undefined, 'text'),
    row(runs, undefined, 'structured'),
  ];
  const tasks = new Set(runs.map(({ surface, name }) => `${surface} ${name}`)).size;
  const lines = [
    `${tasks} tasks, each by text alone and by structured content alone, done by ${options.model ?? 'a planner without a model'} that sees only tool lists and results. Bytes are tool lists, once a task, and results on the wire; "seen" is what of them reaches a model. A dead end is a result without a next step or an error without a remedy.`,
    '',
    '| surface | mode | solved | calls | bytes | bytes seen | dead ends |',
    '|---|---|--:|--:|--:|--:|--:|',
    ...rows,
    ...unsolved(runs),
  ];
  const kept: Kept = Object.fromEntries(
    runs.map((run) => [keyOf(run), { solved: run.solved, calls: run.calls, bytes: run.bytes }]),
  );
  if (!options.before) lines.push(...comparison(runs));
  process.stdout.write(`${lines.join('\n')}\n`);
  if (options.whole) writeResults(options.before ? BEFORE : TITLE, lines, { runs: kept });
}

function row(runs: readonly Run[], surface: Surface | undefined, mode: Mode): string {
  const figures = sum(runs.filter((run) => (surface ?? run.surface) === run.surface && run.mode === mode));
  const numbers = [figures.calls, figures.bytes, figures.seenBytes, figures.deadEnds].map((number) =>
    number.toLocaleString('en'),
  );
  return `| ${surface ?? 'all'} | ${mode} | ${figures.solved} of ${figures.tasks} | ${numbers.join(' | ')} |`;
}

function sum(runs: readonly Run[]): Figures {
  const total = { tasks: runs.length, solved: 0, calls: 0, bytes: 0, seenBytes: 0, deadEnds: 0 };
  for (const run of runs) {
    total.solved += Number(run.solved);
    total.calls += run.calls;
    total.bytes += run.bytes;
    total.seenBytes += run.seenBytes;
    total.deadEnds += run.deadEnds;
  }
  return total;
}

function unsolved(runs: readonly Run[]): string[] {
  const left = runs.filter(({ solved }) => !solved);
  if (left.length === 0) return [];
  return ['', `Not solved: ${left.map((run) => `${run.surface}, ${run.name} (${run.mode})`).join('; ')}.`];
}

/** The runs beside those of the commit before: all of them, and those that were solved both times. */
function comparison(runs: readonly Run[]): string[] {
  const before = readSections()[BEFORE]?.figures['runs'] as Kept | undefined;
  if (before === undefined) return [];
  const pairs = runs.flatMap((now) => {
    const then = before[keyOf(now)];
    return then === undefined ? [] : [{ now, then }];
  });
  const both = pairs.filter(({ now, then }) => now.solved && then.solved);
  const ratio = (list: typeof pairs, what: 'calls' | 'bytes') =>
    list.reduce((total, { now }) => total + now[what], 0) /
    list.reduce((total, { then }) => total + then[what], 0);
  const solvedBefore = pairs.filter(({ then }) => then.solved).length;
  const line = (what: 'calls' | 'bytes') =>
    `- ${what} : those before: **${ratio(pairs, what).toFixed(2)}** (${held(ratio(pairs, what), RATIO_BAR, 'at most')}); of the runs solved both times ${ratio(both, what).toFixed(2)}`;
  const share = runs.filter(({ solved }) => solved).length;
  const perSolved = (what: 'calls' | 'bytes') => ((ratio(pairs, what) * solvedBefore) / share).toFixed(2);
  return [
    '',
    `- solved: **${share} of ${runs.length}** runs, before ${solvedBefore} of ${pairs.length} (bar: all, ${share === runs.length ? 'held' : '**missed**'})`,
    line('calls'),
    line('bytes'),
    `- for each run that was solved : those before: calls ${perSolved('calls')}, bytes ${perSolved('bytes')}`,
  ];
}
