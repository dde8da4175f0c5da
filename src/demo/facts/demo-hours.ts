import { hashText, SeededRandom } from '../demo-random.ts';

export const DEMO_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const OSM_DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

export type DemoWeek = Readonly<Record<(typeof DEMO_DAYS)[number], readonly (readonly [string, string])[]>>;

/**
 * Opening hours of a week: the stored structure, its text in OpenStreetMap's syntax, and both as serialized JSON
 * members.
 */
export interface DemoWeekHours {
  structured: DemoWeek;
  text: string;
  json: string;
}

/** Range of opening times, then range of closing times, in minutes; values above 1440 are after midnight. */
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

const h = (hours: number): number => hours * 60;
const FULL_WEEK: readonly (readonly number[])[] = [[]];
const SOME_OFF: readonly (readonly number[])[] = [[], [], [], [], [0], [0], [1], [2], [6], [6, 0]];

const PROFILES: Readonly<Record<string, Profile>> = {
  meals: {
    unknown: 0.14,
    always: 0.01,
    shifts: [
      [[h(10), h(12), h(21), h(23)]],
      [[h(11), h(12), h(22), h(24)]],
      [
        [h(11.5), h(12.5), h(14), h(15.5)],
        [h(18), h(19.5), h(22), h(24)],
      ],
      [
        [h(12), h(12.5), h(15), h(15.5)],
        [h(19), h(20), h(23), h(24.5)],
      ],
      [[h(17), h(18.5), h(22), h(25)]],
      [[h(7), h(8), h(21), h(22)]],
    ],
    weekend: ['same', 'same', 'same', 'later', 'later'],
    off: SOME_OFF,
  },
  daytime: {
    unknown: 0.14,
    always: 0.005,
    shifts: [[[h(6.5), h(8.5), h(16), h(18)]], [[h(7), h(9), h(18), h(21)]], [[h(8), h(10), h(15), h(17)]]],
    weekend: ['same', 'same', 'shorter', 'later'],
    off: [[], [], [], [], [0], [1], [6]],
  },
  evening: {
    unknown: 0.16,
    always: 0,
    shifts: [[[h(16), h(18), h(24), h(26)]], [[h(11), h(12), h(23), h(25)]], [[h(18), h(20), h(25), h(27)]]],
    weekend: ['same', 'later', 'later'],
    off: SOME_OFF,
  },
  night: {
    unknown: 0.2,
    always: 0,
    shifts: [[[h(21), h(23), h(27), h(30)]], [[h(19), h(22), h(26), h(28)]]],
    weekend: ['same', 'later'],
    off: [[], [0, 1], [0, 1, 2], [0, 1, 6], [0, 1, 2, 3], [6]],
  },
  always: {
    unknown: 0.2,
    always: 0.88,
    shifts: [[[h(7), h(8), h(21), h(23)]]],
    weekend: ['same'],
    off: FULL_WEEK,
  },
  studio: {
    unknown: 0.14,
    always: 0,
    shifts: [
      [[h(9), h(11), h(18), h(22)]],
      [
        [h(9), h(10), h(12.5), h(13)],
        [h(14.5), h(16), h(19), h(20.5)],
      ],
    ],
    weekend: ['same', 'same', 'shorter'],
    off: SOME_OFF,
  },
  outing: {
    unknown: 0.18,
    always: 0.03,
    shifts: [[[h(7), h(9), h(16), h(19)]], [[h(8), h(9.5), h(19), h(21)]]],
    weekend: ['same', 'same', 'shorter'],
    off: [[], [], [], [6]],
  },
  shop: {
    unknown: 0.16,
    always: 0.02,
    shifts: [
      [[h(9), h(10.5), h(17), h(19)]],
      [[h(9.5), h(11), h(19), h(22)]],
      [
        [h(9), h(9.5), h(12.5), h(13)],
        [h(15), h(16.5), h(19), h(20.5)],
      ],
    ],
    weekend: ['same', 'shorter', 'shorter'],
    off: [[], [], [6], [6], [6, 0]],
  },
  market: {
    unknown: 0.15,
    always: 0.02,
    shifts: [[[h(5), h(8), h(12), h(15)]], [[h(9), h(10), h(18), h(20)]], [[h(16), h(18), h(22), h(24)]]],
    weekend: ['same', 'same', 'later'],
    off: [[], [], [6], [0], [0, 1, 2, 3, 4], [0, 1, 3, 4, 6]],
  },
  office: {
    unknown: 0.14,
    always: 0.03,
    shifts: [
      [[h(8), h(9.5), h(16.5), h(19)]],
      [
        [h(8.5), h(9), h(12), h(13)],
        [h(14), h(15), h(18), h(19.5)],
      ],
    ],
    weekend: ['closed', 'shorter', 'shorter', 'same'],
    off: [[], [6], [6]],
  },
  gym: {
    unknown: 0.12,
    always: 0.08,
    shifts: [
      [[h(5.5), h(7), h(21), h(23)]],
      [
        [h(6.5), h(8), h(11), h(12)],
        [h(16.5), h(17.5), h(20), h(21.5)],
      ],
    ],
    weekend: ['same', 'shorter', 'shorter'],
    off: [[], [], [6]],
  },
  event: {
    unknown: 0.5,
    always: 0,
    shifts: [[[h(10), h(12), h(20), h(25)]]],
    weekend: ['same', 'later'],
    off: SOME_OFF,
  },
  open_air: {
    unknown: 0.35,
    always: 0.8,
    shifts: [[[h(6), h(9), h(18), h(20)]]],
    weekend: ['same'],
    off: FULL_WEEK,
  },
  sight: {
    unknown: 0.2,
    always: 0.22,
    shifts: [[[h(9), h(10.5), h(16), h(18)]], [[h(8), h(9), h(17), h(20)]]],
    weekend: ['same', 'same', 'later'],
    off: [[], [], [0], [0], [1]],
  },
};

const STEP_MIN = 30;
const clock = (minutes: number): string => {
  const time = minutes > 1440 ? minutes - 1440 : minutes;
  return `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`;
};

function within(random: SeededRandom, low: number, high: number): number {
  return low + random.below((high - low) / STEP_MIN + 1) * STEP_MIN;
}

/**
 * Returns the shifts of one day. Only Saturday and Sunday differ, except that 'later' applies to Friday and Saturday.
 */
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

/** Generates opening hours by kind of place. Each variant of a week is generated once and shared. */
export class DemoHours {
  readonly #random: SeededRandom;
  readonly #weeks = new Map<string, (DemoWeekHours | undefined)[]>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  week(profileName: string): DemoWeekHours | null {
    const profile = PROFILES[profileName];
    if (profile === undefined) throw new Error(`No hours are described for ${profileName}.`);
    if (this.#random.chance(profile.unknown)) return null;
    let weeks = this.#weeks.get(profileName);
    if (weeks === undefined) {
      weeks = new Array<DemoWeekHours | undefined>(VARIANTS).fill(undefined);
      this.#weeks.set(profileName, weeks);
    }
    const variant = this.#random.below(VARIANTS);
    let week = weeks[variant];
    if (week === undefined) {
      const weekRandom = new SeededRandom();
      weekRandom.restart(hashText(profileName), variant);
      week = weeks[variant] = makeWeek(profile, weekRandom);
    }
    return week;
  }
}
