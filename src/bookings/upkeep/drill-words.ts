import type { Drill } from './kill-switch-drill.ts';

/** A drill in words, for the command and the console: what was looked at, and what was found. */
export function drillFindings(drill: Drill): { label: string; words: string }[] {
  const { askedAt, answeredAt, resumedAt, frozen, actions, inFlight, lastAt, afterAnswer } = drill;
  const took = answeredAt === null || askedAt === null ? undefined : answeredAt.getTime() - askedAt.getTime();
  const halted =
    answeredAt === null || resumedAt === null ? undefined : resumedAt.getTime() - answeredAt.getTime();
  return [
    { label: 'Answered after', words: seconds(took) },
    { label: 'Stood still', words: frozen === 1 ? '1 booking' : `${frozen ?? 0} bookings` },
    {
      label: 'Left for venues',
      words: `${actions ?? 0} calls, texts, mails and connector calls up to the answer, ${inFlight ?? 0} of them under way at the flip`,
    },
    { label: 'The last ended', words: lastWords(lastAt, answeredAt) },
    { label: 'After the answer', words: String(afterAnswer ?? 0) },
    {
      label: 'Halted for',
      words:
        halted === undefined ? 'not known: the switch was not turned back by the drill' : seconds(halted),
    },
  ];
}

/** Whether the switch did what it promises. */
export function drillPassed({ afterAnswer }: Drill): boolean {
  return afterAnswer === 0;
}

export function drillVerdict(drill: Drill): string {
  if (!drillPassed(drill))
    return `${drill.afterAnswer ?? 0} outbound ${drill.afterAnswer === 1 ? 'action' : 'actions'} went on or began after the switch was answered. The switch does not hold: find out what left, by the table outbound_action.`;
  return drill.actions === 0
    ? 'Nothing left after the answer, but nothing was leaving before it either: run the drill again while venues are being asked.'
    : 'Nothing left after the answer.';
}

function lastWords(lastAt: Date | null, answeredAt: Date | null): string {
  if (lastAt === null || answeredAt === null) return 'there was none';
  const ms = answeredAt.getTime() - lastAt.getTime();
  return ms >= 0 ? `${seconds(ms)} before the answer` : `${seconds(-ms)} after the answer`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? 'not known' : `${(ms / 1000).toFixed(3)} s`;
}
