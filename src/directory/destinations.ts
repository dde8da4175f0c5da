import type { Clock } from '../core/clock.ts';
import type { Point, BoundingBox } from '../core/geo.ts';
import type { Pool } from '../core/postgres/db.ts';
import type { Listener } from '../core/postgres/listener.ts';
import type { Log } from '../core/log.ts';
import { listSources } from './place/list-sources.ts';
import { attributionOf, type Attribution, type AttributionNames } from './attribution.ts';
import { countryName } from './country/country.ts';
import { DAY_MS, HOUR_MS } from '../core/time.ts';
import { tallyPlaces } from './place-tally.ts';

declare module '../core/context.ts' {
  interface Deps {
    destinations: Destinations;
  }
}

/** A place counts as verified for a year after a person or a source check confirmed it. */
const VERIFIED_DAYS = 365;
// The count of verified places falls as time passes, without any change event.
const RECOUNT_EVERY_MS = HOUR_MS;
// A bulk import notifies with every statement; one recount serves them all.
const RECOUNT_GAP_MS = 200;
/** Delay before a failed count is retried, without waiting for another change. */
const RETRY_MS = 5_000;

export type DestinationExtent = Point & BoundingBox;

export interface Destination extends DestinationExtent {
  id: string;
  slug: string;
  name: string;
  other_names: string[];
  areas: string[];
  country: string;
  country_name: string;
  timezone: string;
  places: number;
  verified_places: number;
}

/** Destinations with places: the catalogue lists many that an installation may never fill. */
export function withPlaces<One extends { places: number }>(destinations: readonly One[]): One[] {
  return destinations.filter(({ places }) => places > 0);
}

/** Destinations as served at one moment. A snapshot is never changed, only replaced. */
export interface DestinationSnapshot {
  destinations: readonly Destination[];
  demo: boolean;
  /** Names of the destinations with real places in a demonstration. */
  samples: readonly string[];
  attribution: Attribution;
}

interface Opening {
  pool: Pool;
  clock: Clock;
  log: Log;
  listener: Listener;
  config: AttributionNames;
  count?: () => Promise<DestinationSnapshot>;
}

/** Every destination with its counts, in memory. Recomputed when the directory changes. */
export class Destinations {
  readonly #log: Log;
  readonly #count: () => Promise<DestinationSnapshot>;
  #snapshot: DestinationSnapshot;
  #recount: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isBehind = false;

  private constructor(log: Log, count: () => Promise<DestinationSnapshot>, first: DestinationSnapshot) {
    this.#log = log;
    this.#count = count;
    this.#snapshot = first;
  }

  /** `count` is for a process that requests the counts from another one, which counts for all. */
  static async open({
    pool,
    clock,
    log,
    listener,
    config,
    count = () => countDestinations(pool, clock, config),
  }: Opening): Promise<Destinations> {
    const opened = new Destinations(log, count, await count());
    // The second callback also runs after a reconnect, because changes may have been missed meanwhile.
    await listener.on(
      'directory_changed',
      () => void opened.refresh(),
      () => void opened.refresh(),
    );
    opened.#timer = setInterval(() => void opened.refresh(), RECOUNT_EVERY_MS).unref();
    return opened;
  }

  get current(): DestinationSnapshot {
    return this.#snapshot;
  }

  /** True when the last count failed, so that changes since the previous one may be missing. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Recounts. Calls during a count share one further count. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#recount ??= this.#countUntilSettled().finally(() => (this.#recount = undefined));
    return this.#recount;
  }

  /** Stops counting. The caller that opened the listener closes it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#recount;
    clearTimeout(this.#retry);
  }

  async #countUntilSettled(): Promise<void> {
    for (let round = 0; this.#takePending(); round++) {
      if (round > 0) await new Promise((resolve) => setTimeout(resolve, RECOUNT_GAP_MS));
      try {
        this.#snapshot = await this.#count();
        this.#isBehind = false;
      } catch (error) {
        this.#log.error({ err: error }, 'destinations could not be counted; the last counts are kept');
        this.#isBehind = true;
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => void this.refresh(), RETRY_MS).unref();
        return;
      }
    }
  }

  #takePending(): boolean {
    const pending = this.#again;
    this.#again = false;
    return pending;
  }
}

async function countDestinations(
  pool: Pool,
  clock: Clock,
  names: AttributionNames,
): Promise<DestinationSnapshot> {
  const verifiedSince = new Date(clock.now().getTime() - VERIFIED_DAYS * DAY_MS);
  const tallies = await tallyPlaces(pool, verifiedSince);
  const rows = await pool<
    (Omit<Destination, 'country_name' | 'places' | 'verified_places'> & { sample: boolean })[]
  >`
    select id, slug, name, other_names, areas, country, timezone, lat, lng, west, south, east, north, sample
    from destination order by country, name`;
  const [{ demo } = { demo: false }] = await pool<{ demo: boolean }[]>`
    select exists (select 1 from place where source = 'demo' and closed_at is null) as demo`;
  const samples = rows.filter(({ sample }) => sample).map(({ name }) => name);
  const destinations = rows.map(({ sample: _, ...row }) => {
    const { places = 0, verified: verified_places = 0 } = tallies.get(row.id) ?? {};
    return { ...row, country_name: countryName(row.country), places, verified_places };
  });
  const attribution = attributionOf(names, demo, await listSources(pool), samples);
  return { destinations, demo, samples, attribution };
}
