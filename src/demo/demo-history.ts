import type { SeededRandom } from './demo-random.ts';
import { DAY_MS } from '../core/time.ts';

export const CLOSURE_KINDS = ['website_dead', 'published_report', 'venue_said'] as const;

interface DemoClosure {
  kind: (typeof CLOSURE_KINDS)[number];
  source_url: string | null;
  note: string;
  observed_at: string;
}

interface DemoAccolade {
  title: string;
  year: number;
  source_name: string;
  source_url: string;
}

/** Maximum age of anything in a demo directory, in days. */
const DAYS_BACK = 1500;

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
const SIXTIES = Array.from({ length: 60 }, (_, i) => two(i));

/** Generates timestamps before now from precomputed dates, because formatting a date is expensive. */
export class DemoTimestamps {
  readonly #dates: readonly string[];
  readonly year: number;

  constructor(now: Date) {
    this.year = now.getUTCFullYear();
    this.#dates = Array.from({ length: DAYS_BACK + 2 }, (_, ago) =>
      new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10),
    );
  }

  /** Returns a random time on the day `daysAgo` days ago, which is at least yesterday. */
  moment(random: SeededRandom, daysAgo: number): string {
    const date = this.#dates[Math.min(DAYS_BACK + 1, Math.max(1, daysAgo))] ?? '';
    const time = random.below(86_400);
    const hour = SIXTIES[Math.floor(time / 3600)] ?? '';
    return `${date}T${hour}:${SIXTIES[Math.floor(time / 60) % 60] ?? ''}:${SIXTIES[time % 60] ?? ''}Z`;
  }
}

interface DemoDates {
  created_at: string;
  updated_at: string;
  verified_at: string | null;
  lastDaysAgo: number;
}

/** Generates when a place was created, last verified (often recently, sometimes never) and updated. */
export function demoDates(random: SeededRandom, history: DemoTimestamps): DemoDates {
  const confirmed = random.unit();
  let verified: number | null = null;
  if (confirmed < 0.72) verified = random.between(3, 330);
  else if (confirmed < 0.84) verified = random.between(370, DAYS_BACK - 200);
  const created = verified === null ? random.between(20, 900) : verified + random.between(1, 200);
  const updated = random.between(2, verified ?? created - 1);
  return {
    created_at: history.moment(random, created),
    updated_at: history.moment(random, updated),
    verified_at: verified === null ? null : history.moment(random, verified),
    lastDaysAgo: updated,
  };
}

/** Generates the closure evidence of a place: usually one piece, sometimes two. */
export function demoClosures(
  random: SeededRandom,
  history: DemoTimestamps,
  venue: { website: string | null; slug: string; citySlug: string },
  { lastDaysAgo }: DemoDates,
): DemoClosure[] {
  const first = random.below(CLOSURE_KINDS.length);
  const kinds = CLOSURE_KINDS.filter(
    (_, at) => at === first || (at === (first + 1) % 3 && random.chance(0.15)),
  );
  // Closure evidence is newer than everything else about the place.
  const observed_at = history.moment(random, random.between(1, lastDaysAgo - 1));
  return kinds.map((kind): DemoClosure => {
    switch (kind) {
      case 'website_dead':
        return {
          kind,
          source_url: venue.website ?? `https://${venue.slug.slice(0, 60)}.example`,
          note: 'The website no longer answers.',
          observed_at,
        };
      case 'published_report':
        return {
          kind,
          source_url: `https://news.${venue.citySlug}.example/closed/${venue.slug}`,
          note: 'A local newspaper reported that it has closed for good.',
          observed_at,
        };
      case 'venue_said':
        return {
          kind,
          source_url: null,
          note: 'The venue reported that it has closed for good.',
          observed_at,
        };
    }
  });
}

const GUIDES = [
  ['The Lantern Guide', 'lantern-guide.example'],
  ['Quiet Table Review', 'quiet-table.example'],
  ['Waymark Almanac', 'waymark-almanac.example'],
  ['Four Winds Notebook', 'four-winds-notebook.example'],
] as const;

export function demoAccolades(
  random: SeededRandom,
  history: DemoTimestamps,
  venue: { label: string; city: string; slug: string },
): DemoAccolade[] {
  const accolades = new Map<string, DemoAccolade>();
  for (let i = random.between(1, 2); i > 0; i--) {
    const [source_name, host] = random.pick(GUIDES);
    const year = history.year - random.between(0, 3);
    const honours = [
      `Best ${venue.label} in ${venue.city}`,
      `Fifty to know in ${venue.city}`,
      'Newcomer of the year',
      'Kept its word',
    ];
    const title = random.pick(honours);
    accolades.set(title, { title, year, source_name, source_url: `https://${host}/${year}/${venue.slug}` });
  }
  return [...accolades.values()];
}
