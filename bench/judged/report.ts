import { writeResults } from '../results.ts';
import { say } from '../search/bench.ts';
import type { ClaimsTold } from './claims.ts';
import type { Strays } from './foreign-places.ts';
import { missLines, type Outcome, type Share, shareOf, sharesBy, shareText } from './score.ts';

const BARS = { first: 0.92, three: 0.97, above: 0.1 };
const LISTED_MAX = 40;

interface Found {
  states: readonly { state: string; outcomes: readonly Outcome[] }[];
  rival: readonly Outcome[];
  texts: number;
  strays: Strays;
  claims: ClaimsTold;
}

/** Says everything on the terminal, and keeps the figures, the bars and the misses in the results. */
export function report({ states, rival, texts, strays, claims }: Found): void {
  const last = states.at(-1)?.outcomes ?? [];
  const theirs = shareOf(rival);
  const shares = states.map(({ outcomes }) => shareOf(outcomes));
  const worst: Share = {
    first: Math.min(...shares.map(({ first }) => first)),
    three: Math.min(...shares.map(({ three }) => three)),
  };
  const differing = last.filter(({ answers }, i) =>
    states.some(({ outcomes }) => refsOf(outcomes[i]) !== answers.map(({ ref }) => ref).join()),
  );
  const unequal = last.filter((outcome, i) =>
    states.some(({ outcomes }) => rightsOf(outcomes[i]) !== rightsOf(outcome)),
  );
  const languages = new Set(last.map(({ asked }) => asked.language).filter((one) => one !== 'any'));
  const lines = [
    `${last.length} searches over five real extracts, written before the service was asked: ${languages.size} languages, ${new Set(last.map(({ asked }) => asked.script)).size - 1} scripts, ${last.filter(({ destination }) => destination !== undefined).length} with a destination. What is right comes from the map by osmium. "First" means that the first answer is right, "three" that one of the first three is.`,
    '',
    '| | first | three |',
    '|---|--:|--:|',
    ...states.map(({ state, outcomes }) => `| Waypost, ${state} | ${shareText(shareOf(outcomes))} |`),
    `| PostgreSQL, full text, then trigrams | ${shareText(theirs)} |`,
    '',
    barLine('first, worst state', worst.first, BARS.first),
    barLine('three, worst state', worst.three, BARS.three),
    barLine('first above PostgreSQL', worst.first - theirs.first, BARS.above),
    barLine('three above PostgreSQL', worst.three - theirs.three, BARS.above),
    zeroLine('searches that are right in one state and not in another', unequal.length),
    `- searches whose first three are others in another state: ${differing.length}`,
    zeroLine(
      `places of another destination in ${strays.asked.toLocaleString('en')} answers, ${texts} texts with numbers and none (they held ${strays.seen.toLocaleString('en')} places)`,
      strays.strays.length,
    ),
    zeroLine(
      `wrong statements of \`concierge_answer\`, ${claims.checked.toLocaleString('en')} compared with the map in ${claims.questions} answers`,
      claims.wrong.length,
    ),
    zeroLine('claims dated later than their map', claims.late),
    ...(['language', 'sort', 'script', 'extract'] as const).flatMap((property) => [
      '',
      ...sharesBy(property, last, rival),
    ]),
  ];
  const misses = states.map(({ outcomes }) => missLines(outcomes));
  const all = misses.at(-1) ?? [];
  const only = (misses[0] ?? []).filter((line) => !all.includes(line));
  const details = [
    ...listed(`Misses ${states.at(-1)?.state ?? ''} (right ones in bold):`, all, Infinity),
    ...listed(`Only ${states[0]?.state ?? ''}:`, only, LISTED_MAX),
    ...listed('Places of another destination:', strays.strays, LISTED_MAX),
    ...listed('Wrong statements:', claims.wrong, Infinity),
  ];
  say([...lines, ...details].join('\n'));
  writeResults('Judged searches over real places', [...lines, ...details], {
    ...{ states: states.map(({ state }, i) => ({ state, ...shares[i] })), rival: theirs },
    ...{ strays: strays.strays.length, wrong_claims: claims.wrong.length },
  });
}

function refsOf(outcome: Outcome | undefined): string {
  return (outcome?.answers ?? []).map(({ ref }) => ref).join();
}

/** Whether the first answer is right, and whether one of three is. */
function rightsOf(outcome: Outcome | undefined): string {
  const { first, three } = shareOf(outcome === undefined ? [] : [outcome]);
  return `${first} ${three}`;
}

function barLine(what: string, value: number, bar: number): string {
  return `- ${what}: **${value.toFixed(3)}** (bar: at least ${bar.toFixed(2)})${value >= bar ? '' : ' – **missed**'}`;
}

function zeroLine(what: string, value: number): string {
  return `- ${what}: **${value}** (bar: 0)${value === 0 ? '' : ' – **missed**'}`;
}

function listed(title: string, lines: readonly string[], max: number): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > max ? [`- and ${lines.length - max} more`] : [];
  const items = lines.slice(0, max).map((line) => (line.startsWith('- ') ? line : `- ${line}`));
  return ['', `${title} ${lines.length}`, '', ...items, ...rest];
}
