import type { Asked } from './searches.ts';

/** The places of the first three answers, as the runner names them, and which of them are right. */
export interface Outcome {
  asked: Asked;
  destination: string | undefined;
  answers: readonly { name: string; ref: string; right: boolean }[];
  /** Whether any right place came in with the import. */
  held: boolean;
}

export interface Share {
  first: number;
  three: number;
}

export function shareOf(outcomes: readonly Outcome[]): Share {
  const part = (count: number) => (outcomes.length === 0 ? 1 : count / outcomes.length);
  return {
    first: part(outcomes.filter(({ answers }) => answers[0]?.right === true).length),
    three: part(outcomes.filter(({ answers }) => answers.some(({ right }) => right)).length),
  };
}

export function shareText({ first, three }: Share): string {
  return `${first.toFixed(3)} | ${three.toFixed(3)}`;
}

/** A table of first and three by a property of the searches, ours beside the rival's. */
export function sharesBy(
  property: 'language' | 'sort' | 'script' | 'extract',
  ours: readonly Outcome[],
  theirs: readonly Outcome[],
): string[] {
  const groups = Map.groupBy(ours, ({ asked }) => asked[property]);
  const rows = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return [
    `| ${property} | searches | first | three | PostgreSQL first | three |`,
    '|---|--:|--:|--:|--:|--:|',
    ...rows.map(([value, outcomes]) => {
      const rival = theirs.filter(({ asked }) => asked[property] === value);
      return `| ${value} | ${outcomes.length} | ${shareText(shareOf(outcomes))} | ${shareText(shareOf(rival))} |`;
    }),
  ];
}

/** Every search whose first answer is wrong, with what came instead. */
export function missLines(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ answers }) => answers[0]?.right !== true).map(missLine);
}

function missLine({ asked, destination, answers, held }: Outcome): string {
  const where = destination === undefined ? '' : ` in ${destination}`;
  const instead =
    answers.length === 0
      ? 'nothing'
      : answers
          .map(({ name, ref, right }) => `${right ? '**' : ''}${name} (${ref})${right ? '**' : ''}`)
          .join(', ');
  const cause = !held ? 'not imported' : causeOf(answers);
  return `- ${cause}: \`${asked.text}\`${where} (${asked.sort}, ${asked.language}): ${instead}`;
}

function causeOf(answers: Outcome['answers']): string {
  if (answers.length === 0) return 'nothing found';
  return answers.some(({ right }) => right) ? 'second or third' : 'others';
}
