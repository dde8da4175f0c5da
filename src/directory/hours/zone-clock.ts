const MINUTE_MS = 60_000;
const NANOSECONDS_PER_MS = 1_000_000;
/** No zone has ever moved its clocks by more than a day and an hour or two. */
const SHIFT_MAX_MS = 27 * 60 * MINUTE_MS;

/** A time between two changes of a zone's offset: from `from` to before `until`. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

interface Zone {
  readonly name: string;
  readonly known: Stretch[];
  latest: Stretch;
}

const zones = new Map<string, Zone>();

function readStretch(name: string, instant: number): Stretch {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
  const next = at.getTimeZoneTransition('next');
  // A transition at this very instant begins the stretch, and "previous" alone would step over it.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    from: previous?.epochMilliseconds ?? -Infinity,
    until: next?.epochMilliseconds ?? Infinity,
    offset: at.offsetNanoseconds / NANOSECONDS_PER_MS,
  };
}

function zoneOf(name: string, instant: number): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    const latest = readStretch(name, instant);
    zone = { name, known: [latest], latest };
    zones.set(name, zone);
  }
  return zone;
}

function covers(stretch: Stretch, instant: number): boolean {
  return stretch.from <= instant && instant < stretch.until;
}

function stretchOf(zone: Zone, instant: number): Stretch {
  if (covers(zone.latest, instant)) return zone.latest;
  let stretch = zone.known.find((candidate) => covers(candidate, instant));
  if (stretch === undefined) {
    stretch = readStretch(zone.name, instant);
    zone.known.push(stretch);
  }
  zone.latest = stretch;
  return stretch;
}

/** The offset at an instant (milliseconds) and since when it holds; arithmetic once the zone's stretch is known. */
export function zoneStretch(timezone: string, instant: number): Stretch {
  return stretchOf(zoneOf(timezone, instant), instant);
}

/** Whole minutes on the zone's wall clock since its 1970-01-01 00:00. */
export function localMinuteOf(timezone: string, instant: Date): number {
  const ms = instant.getTime();
  return Math.floor((ms + zoneStretch(timezone, ms).offset) / MINUTE_MS);
}

/**
 * The instant (milliseconds) at which the zone's wall clock shows a minute. A minute that comes twice means its
 * first coming; one that is skipped means the moment of the skip.
 */
export function instantOfLocalMinute(timezone: string, minute: number): number {
  const local = minute * MINUTE_MS;
  const zone = zoneOf(timezone, local);
  const instant = local - zone.latest.offset;
  if (instant >= zone.latest.from + SHIFT_MAX_MS && instant < zone.latest.until) return instant;
  return searchInstant(zone, local);
}

function searchInstant(zone: Zone, local: number): number {
  let stretch = stretchOf(zone, local - SHIFT_MAX_MS);
  while (local - stretch.offset >= stretch.until) stretch = stretchOf(zone, stretch.until);
  return Math.max(local - stretch.offset, stretch.from);
}
