import data from './hours.json' with { type: 'json' };
import { formatClock } from '../../directory/hours/compile/compiled-hours.ts';
import { hashText, SeededRandom } from '../demo-random.ts';

export const DEMO_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const OSM_DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

type DemoWeek = Readonly<Record<(typeof DEMO_DAYS)[number], readonly (readonly [string, string])[]>>;

/** Opening hours of a week: by day, as text in OpenStreetMap's syntax, and as members of the stored JSON. */
export interface DemoWeekHours {
  structured: DemoWeek;
  text: string;
  json: string;
}

/** Range of opening times, then range of closing times, in hours; values above 24 are after midnight. */
type Shift = readonly [number, number, number, number];
/** Difference between the weekend and the other days. */
type Weekend = 'same' | 'later' | 'shorter' | 'closed';

interface Profile {
  /** Share of places whose hours are unknown. */
  unknown: number;
  /** Share of places that never close. */
  always: number;
  shifts: readonly (readonly Shift[])[];
  weekend: readonly Weekend[];
  /** Sets of closed days, each equally likely; an empty set is a full week. */
  off: readonly (readonly number[])[];
}

const PROFILES = data as unknown as Readonly<Record<string, Profile>>;

const STEP_MIN = 30;
const clock = (minutes: number): string => formatClock(minutes > 1440 ? minutes - 1440 : minutes);

function within(random: SeededRandom, low: number, high: number): number {
  return low * 60 + random.below(((high - low) * 60) / STEP_MIN + 1) * STEP_MIN;
}

/** Returns the shifts of one day; 'later' applies to Friday and Saturday, the others to the weekend. */
function dayShifts(
  shifts: readonly (readonly [number, number])[],
  weekend: Weekend,
  day: number,
): typeof shifts {
  const last = shifts.length - 1;
  if (weekend === 'later' && (day === 4 || day === 5)) {
    return shifts.map(([open, close], i) => [open, i === last ? Math.min(close + 60, 1800) : close]);
  }
  const first = shifts[0];
  if (weekend === 'shorter' && day >= 5 && first) {
    return [[first[0] + 60, Math.max(first[0] + 180, Math.min(first[1] - 60, 960))]];
  }
  return weekend === 'closed' && day >= 5 ? [] : shifts;
}

function weekText(structured: DemoWeek, namesOff: boolean): string {
  const days = DEMO_DAYS.map((day) => structured[day].map((range) => range.join('-')).join(','));
  if (days.every((text) => text === '00:00-24:00')) return '24/7';
  const rules: string[] = [];
  for (let from = 0; from < 7;) {
    let to = from;
    while (days[to + 1] === days[from]) to++;
    const name = from === to ? OSM_DAYS[from] : `${OSM_DAYS[from] ?? ''}-${OSM_DAYS[to] ?? ''}`;
    const text = days[from];
    if (text || namesOff) rules.push(`${name ?? ''} ${text || 'off'}`);
    from = to + 1;
  }
  return rules.join('; ');
}

/** Number of different weeks for each kind of place; real opening hours repeat at least as often. */
const VARIANTS = 600;

function makeWeek(profile: Profile, random: SeededRandom): DemoWeekHours {
  const always = random.chance(profile.always);
  const shifts = random
    .pick(profile.shifts)
    .map(([a, b, c, d]): [number, number] => [within(random, a, b), within(random, c, d)]);
  const weekend = random.pick(profile.weekend);
  const off = random.pick(profile.off);
  const minutes = DEMO_DAYS.map((_, day): readonly (readonly [number, number])[] => {
    if (always) return [[0, 1440]];
    return off.includes(day) ? [] : dayShifts(shifts, weekend, day);
  });
  const ranges = minutes.map((day) => day.map(([from, to]) => [clock(from), clock(to)]));
  const structured = Object.fromEntries(DEMO_DAYS.map((day, at) => [day, ranges[at]])) as unknown as DemoWeek;
  const text = weekText(structured, random.chance(0.6));
  return { structured, text, json: `"text":"${text}","compiled":${JSON.stringify({ week: minutes })}` };
}

const weeks = new Map<string, DemoWeekHours>();

/** Returns opening hours by kind of place; null when they are unknown. Each variant is generated once and shared. */
export function demoWeek(random: SeededRandom, profileName: string): DemoWeekHours | null {
  const profile = PROFILES[profileName];
  if (profile === undefined) throw new Error(`No hours are described for ${profileName}.`);
  if (random.chance(profile.unknown)) return null;
  const variant = random.below(VARIANTS);
  return weeks.getOrInsertComputed(`${profileName} ${variant}`, () => {
    const weekRandom = new SeededRandom();
    weekRandom.restart(hashText(profileName), variant);
    return makeWeek(profile, weekRandom);
  });
}
