import { describeOpenStatus, openByOldHours, usualWords, type OpenByHours } from './open-status.ts';
import type { StoredHours } from './stored-hours.ts';
import { isVerifiedHours, oldHoursDate, type HoursEvidence } from './verified-hours.ts';
import type { CompiledHours } from './compile/compiled-hours.ts';
import { isUnderstood, structuredWeek } from './weekly-hours.ts';
import type { Place } from '../place/place.ts';

const EVIDENCE_WORDS = {
  website_dead: "the venue's own website is gone",
  published_report: 'a published report says so',
  venue_said: 'the venue said so',
} as const;

/** Returns whether a place is open, as far as known, with the evidence. */
export function openStatusOf(place: Place, timezone: string, now: Date) {
  const [evidence] = place.evidence;
  if (place.closed_at !== null) {
    const reason = evidence === undefined ? '' : `: ${EVIDENCE_WORDS[evidence.kind]}`;
    return {
      open_now: false,
      state: 'closed' as const,
      evidence: evidence?.kind ?? null,
      text: `This place appears to have closed${reason}.`,
      checked_at: evidence?.observed_at ?? place.closed_at.toISOString(),
      next_change_at: null,
    };
  }
  const { hours } = place;
  const compiled = hours?.compiled ?? null;
  const { open_now, state, text, next_change_at } = describeOpenStatus(
    compiled,
    { timezone, verified: hoursVerified(place, now) },
    now,
  );
  const usual = openByHoursOf(place, timezone, now);
  return {
    open_now,
    state,
    evidence: null,
    text: usual === null ? text : sentenceOf(usualWords(usual, timezone, now)),
    checked_at: hours?.observed_at ?? null,
    next_change_at,
  };
}

export function hoursVerified({ hours }: Pick<Place, 'hours'>, now: Date): boolean {
  if (hours?.compiled == null) return false;
  return isVerifiedHours(evidenceOf(hours, hours.compiled), now);
}

/** Open state by hours that are too old to be verified, with their date; null when the place has no such hours. */
export function openByHoursOf(
  { hours, closed_at }: Pick<Place, 'hours' | 'closed_at'>,
  timezone: string,
  now: Date,
): OpenByHours | null {
  if (closed_at !== null || hours?.compiled == null) return null;
  const { compiled } = hours;
  return openByOldHours(compiled, timezone, oldHoursDate(evidenceOf(hours, compiled), now), now);
}

function evidenceOf({ source, observed_at }: StoredHours, compiled: CompiledHours): HoursEvidence {
  return { source, observed_at: new Date(observed_at), parsed: isUnderstood(compiled) };
}

function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

export function hoursOf(place: Pick<Place, 'hours'>, now: Date) {
  const { hours } = place;
  if (hours === null) return null;
  const { text, source, observed_at, compiled } = hours;
  const structured = compiled === null ? null : structuredWeek(compiled);
  return { structured, text, verified: hoursVerified(place, now), source, observed_at };
}

export function closureBeliefOf(place: Place) {
  const { evidence, closed_at } = place;
  const confidence = closed_at !== null ? 'believed' : evidence.length > 0 ? 'suspected' : 'none';
  return {
    believed_closed: closed_at !== null,
    confidence,
    evidence,
    checked_at: evidence[0]?.observed_at ?? null,
  };
}
