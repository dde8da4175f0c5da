import { formatCount } from '../../core/text/format-count.ts';
import type { Drill } from './kill-switch-drill.ts';

export function drillFindings(drill: Drill): { label: string; words: string }[] {
  const { askedAt, answeredAt, resumedAt, frozen, actions, inFlight, lastAt, afterAnswer } = drill;
  const took = answeredAt === null || askedAt === null ? undefined : answeredAt.getTime() - askedAt.getTime();
  const halted =
    answeredAt === null || resumedAt === null ? undefined : resumedAt.getTime() - answeredAt.getTime();
  return [
    { label: 'Stopped within', words: seconds(took) },
    { label: 'Waited meanwhile', words: formatCount(frozen ?? 0, 'request') },
    {
      label: 'Sent until then',
      words: `${actions ?? 0} calls, texts, mails and requests to booking systems, ${inFlight ?? 0} of them under way when the switch was turned`,
    },
    { label: 'The last one ended', words: lastWords(lastAt, answeredAt) },
    { label: 'Sent after that', words: String(afterAnswer ?? 0) },
    {
      label: 'Stopped for',
      words: halted === undefined ? 'not known: the drill did not turn the switch off' : seconds(halted),
    },
  ];
}

export function drillPassed({ afterAnswer }: Drill): boolean {
  return afterAnswer === 0;
}

export function drillVerdict(drill: Drill): string {
  if (!drillPassed(drill))
    return `${formatCount(drill.afterAnswer ?? 0, 'outbound action')} continued or began after bookings were stopped. The switch does not work: the table outbound_action shows what was sent.`;
  return drill.actions === 0
    ? 'Nothing was sent after bookings were stopped, but nothing was being sent before either: run the drill again while venues are being asked.'
    : 'Nothing was sent after bookings were stopped.';
}

function lastWords(lastAt: Date | null, answeredAt: Date | null): string {
  if (lastAt === null || answeredAt === null) return 'there was none';
  const ms = answeredAt.getTime() - lastAt.getTime();
  return ms >= 0
    ? `${seconds(ms)} before bookings were stopped`
    : `${seconds(-ms)} after bookings were stopped`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? 'not known' : `${(ms / 1000).toFixed(3)} s`;
}
