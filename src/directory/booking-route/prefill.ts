import { platformOf, webUrl, type Fact, type Platform, type PrefillTemplate } from './platforms.ts';

export interface BookingDetails {
  readonly party_size?: number | undefined;
  /** YYYY-MM-DD, local to the place. */
  readonly date?: string | undefined;
  /** HH:mm, local to the place. */
  readonly time?: string | undefined;
}

export type Prefilled = Record<Fact, boolean>;

const PLACEHOLDER = /\{([^}]+)\}/g;

type Parts = Readonly<Record<string, string | undefined>>;

export const NOTHING_PREFILLED: Readonly<Prefilled> = { party_size: false, date: false, time: false };

/** Adds the request to the venue's link where its platform is known to accept it; any other link is unchanged. */
export function prefillBookingUrl(address: string, ask: BookingDetails) {
  const url = webUrl(address);
  const platform = url === null ? null : platformOf(url);
  if (url === null || platform === null) {
    return { url: address, platform: null, prefilled: { ...NOTHING_PREFILLED } };
  }
  const prefilled = fill(url, platform, ask);
  const changed = Object.values(prefilled).includes(true);
  return { url: changed ? url.href : address, platform: platform.name, prefilled };
}

function fill(url: URL, platform: Platform, ask: BookingDetails): Prefilled {
  const prefilled = { ...NOTHING_PREFILLED };
  const { template } = platform;
  if (template === undefined || !['high', 'medium'].includes(platform.confidence)) return prefilled;
  const requested = askParts(ask);
  if (Object.keys(requested).length === 0) return prefilled;
  const parts: Parts = { ...platform.path.exec(url.pathname)?.groups, ...linkParts(url), ...requested };
  const path = template.path === undefined ? url.pathname : resolve(template.path, parts);
  if (path === null) return prefilled;
  for (const [name, pattern] of Object.entries(template.set)) {
    const value = resolve(pattern, parts);
    if (value === null) continue;
    setParameter(url, name, value);
    for (const fact of platform.fills) prefilled[fact] ||= SPELLINGS[fact].test(pattern);
  }
  if (Object.values(prefilled).includes(true)) complete(url, path, template, parts);
  return prefilled;
}

/** Completes a prefilled URL: the form's path, duplicate parameters, and required ones. */
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

function resolve(pattern: string, parts: Parts): string | null {
  const placeholders = [...pattern.matchAll(PLACEHOLDER)];
  if (placeholders.some(([, names = '']) => partOf(names, parts) === undefined)) return null;
  return pattern.replace(PLACEHOLDER, (_, names: string) => partOf(names, parts) ?? '');
}

/** `a|b` selects the first known part. */
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

function linkParts(url: URL): Parts {
  return Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [`link.${name.toLowerCase()}`, value]),
  );
}

/** The request in every format that some page uses. An invalid party size, date or time is left out. */
function askParts({ party_size, date, time }: BookingDetails): Parts {
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

/** Sets a parameter and deletes other spellings, because these sites ignore the case of names. */
function setParameter(url: URL, name: string, value: string): void {
  for (const other of sameParameters(url, name)) if (other !== name) url.searchParams.delete(other);
  url.searchParams.set(name, value);
}

function sameParameters(url: URL, name: string): string[] {
  return [...url.searchParams.keys()].filter((key) => key.toLowerCase() === name.toLowerCase());
}
