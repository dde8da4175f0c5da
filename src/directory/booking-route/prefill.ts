import { platformOf, webUrl, type Fact, type Platform, type PrefillTemplate } from './platforms.ts';

export interface BookingAsk {
  readonly party_size?: number | undefined;
  /** YYYY-MM-DD at the place. */
  readonly date?: string | undefined;
  /** HH:mm at the place. */
  readonly time?: string | undefined;
}

export type Prefilled = Record<Fact, boolean>;

export interface PrefilledUrl {
  readonly url: string;
  readonly platform: string | null;
  /** What the page will show filled in. */
  readonly prefilled: Prefilled;
}

const HOLE = /\{([^}]+)\}/g;

type Parts = Readonly<Record<string, string | undefined>>;

export const NOTHING_PREFILLED: Readonly<Prefilled> = { party_size: false, date: false, time: false };

/** Puts the ask into the venue's own link where its platform is known to take it; any other link stays as it is. */
export function prefillBookingUrl(address: string, ask: BookingAsk): PrefilledUrl {
  const url = webUrl(address);
  const platform = url === null ? null : platformOf(url);
  if (url === null || platform === null) {
    return { url: address, platform: null, prefilled: { ...NOTHING_PREFILLED } };
  }
  const prefilled = fill(url, platform, ask);
  const changed = Object.values(prefilled).includes(true);
  return { url: changed ? url.href : address, platform: platform.name, prefilled };
}

function fill(url: URL, platform: Platform, ask: BookingAsk): Prefilled {
  const prefilled = { ...NOTHING_PREFILLED };
  const { template } = platform;
  if (template === undefined || !['high', 'medium'].includes(platform.confidence)) return prefilled;
  const asked = askParts(ask);
  if (Object.keys(asked).length === 0) return prefilled;
  const parts: Parts = { ...platform.path.exec(url.pathname)?.groups, ...linkParts(url), ...asked };
  const path = template.path === undefined ? url.pathname : resolve(template.path, parts);
  if (path === null) return prefilled;
  for (const [name, pattern] of Object.entries(template.set)) {
    const value = resolve(pattern, parts);
    if (value === null) continue;
    setParameter(url, name, value);
    for (const fact of platform.fills) prefilled[fact] ||= tells(pattern, fact);
  }
  if (Object.values(prefilled).includes(true)) complete(url, path, template, parts);
  return prefilled;
}

/** What goes with a filled form: the page it lies on, second spellings, and parameters it cannot do without. */
function complete(url: URL, path: string, template: PrefillTemplate, parts: Parts): void {
  url.pathname = path;
  for (const [name, pattern] of Object.entries(template.refresh ?? {})) {
    const value = resolve(pattern, parts);
    if (value !== null && hasParameter(url, name)) setParameter(url, name, value);
  }
  for (const [name, pattern] of Object.entries(template.otherwise ?? {})) {
    const value = resolve(pattern, parts);
    if (value !== null && !hasParameter(url, name)) url.searchParams.set(name, value);
  }
}

/** The pattern with its parts filled in; null when one is unknown. */
function resolve(pattern: string, parts: Parts): string | null {
  const holes = [...pattern.matchAll(HOLE)];
  if (holes.some(([, names = '']) => partOf(names, parts) === undefined)) return null;
  return pattern.replace(HOLE, (_, names: string) => partOf(names, parts) ?? '');
}

/** `a|b` takes the first that is known. */
function partOf(names: string, parts: Parts): string | undefined {
  return names
    .split('|')
    .map((name) => parts[name])
    .find((part) => part !== undefined);
}

const SPELLINGS: Readonly<Record<Fact, RegExp>> = {
  party_size: /\{party_size\}/,
  date: /\{(?:date|year)\}/,
  time: /\{(?:time|hour)\}/,
};

function tells(pattern: string, fact: Fact): boolean {
  return SPELLINGS[fact].test(pattern);
}

/** What the link already says, as `link.name`. */
function linkParts(url: URL): Parts {
  return Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [`link.${name.toLowerCase()}`, value]),
  );
}

/** The ask in every spelling that some page wants. A value that is no party, date or time counts as not asked. */
function askParts({ party_size, date, time }: BookingAsk): Parts {
  const day = date === undefined ? null : plainDate(date);
  const clock = /^(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)$/.exec(time ?? '')?.groups;
  return {
    ...(Number.isSafeInteger(party_size) && Number(party_size) > 0 && { party_size: String(party_size) }),
    ...(day !== null && {
      date: day.toString(),
      next_date: day.add({ days: 1 }).toString(),
      year: String(day.year),
      month: String(day.month),
      month2: String(day.month).padStart(2, '0'),
      day: String(day.day),
      day2: String(day.day).padStart(2, '0'),
    }),
    ...(clock !== undefined && {
      ...clock,
      time: `${clock['hour'] ?? ''}:${clock['minute'] ?? ''}`,
      meal_of_time: Number(clock['hour']) < 16 ? 'lunch' : 'dinner',
    }),
  };
}

function plainDate(date: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  try {
    return Temporal.PlainDate.from(date);
  } catch {
    return null;
  }
}

function hasParameter(url: URL, name: string): boolean {
  return sameParameters(url, name).length > 0;
}

/** Sets a parameter once. The same name in other letters is the same parameter to these sites, and must not contradict. */
function setParameter(url: URL, name: string, value: string): void {
  for (const other of sameParameters(url, name)) if (other !== name) url.searchParams.delete(other);
  url.searchParams.set(name, value);
}

function sameParameters(url: URL, name: string): string[] {
  return [...url.searchParams.keys()].filter((key) => key.toLowerCase() === name.toLowerCase());
}
