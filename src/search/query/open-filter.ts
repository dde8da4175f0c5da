import { weekdayOf } from '../../directory/hours/compile/compiled-hours.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { OLD_HOURS, OpenBits } from '../store/open-bits.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { weekOpening, type WeekOpening } from '../understand/opening.ts';
import type { Hit } from './hit.ts';
import type { Stage } from './stages.ts';

const DAY_HOURS = 24;

/** Requested openings of a stage: at an instant, and in the regular week. */
export class OpenFilter {
  readonly #index: OpenIndex;
  readonly #byOldHours: boolean;
  readonly #at: Date | undefined;
  readonly #instant: Date;
  readonly #weeks: readonly WeekOpening[];
  /** Bitmaps of a destination, one list for each opening. */
  readonly #bits = new Map<number, OpenBits[][]>();

  /** `openAt` is the requested instant, `instant` the one at which the hours must be verified. */
  constructor(index: OpenIndex, stage: Stage, openAt: Date | undefined, instant: Date) {
    this.#index = index;
    this.#instant = instant;
    this.#byOldHours = stage.byOldHours === true;
    const { openings = [] } = stage;
    this.#at = openAt ?? (openings.includes('now') ? instant : undefined);
    this.#weeks = openings.map(weekOpening).filter((one) => one !== undefined);
  }

  /** False for places that cannot match, by the bitmaps alone. */
  mayMatch({ destination, doc }: Hit['spot']): boolean {
    return this.#bitsOf(destination).every((alternatives) => alternatives.some((bits) => bits.has(doc)));
  }

  matches(hit: Hit): boolean {
    const at = this.#at;
    if (at !== undefined) {
      const open = this.#byOldHours
        ? hit.openByHoursAt(at)?.open
        : (at === this.#instant ? hit.open : hit.openAt(at)).open;
      if (open !== true) return false;
    }
    if (this.#weeks.length === 0) return true;
    const compiled = this.#byOldHours
      ? hit.oldHours(this.#instant)?.compiled
      : hit.verifiedHours(this.#instant);
    return compiled !== undefined && this.#weeks.every((week) => week.isMet(compiled));
  }

  #bitsOf(destination: number): OpenBits[][] {
    let bits = this.#bits.get(destination);
    if (bits === undefined) {
      const timezone = this.#index.destination(destination)?.timezone ?? 'UTC';
      const hours = this.#weeks.map((week) => week.hours);
      if (this.#at !== undefined) hours.push([hourOfWeek(timezone, this.#at)]);
      const bitsAt = (hour: number) => new OpenBits(this.#index.store, destination, hour);
      // Hours that have become too old since the index was built are still among the verified ones.
      bits = hours.map((all) =>
        all.flatMap((hour) => (this.#byOldHours ? [bitsAt(OLD_HOURS + hour), bitsAt(hour)] : [bitsAt(hour)])),
      );
      this.#bits.set(destination, bits);
    }
    return bits;
  }
}

/** Returns the local hour of the week; 0 is the first hour of Monday. */
function hourOfWeek(timezone: string, instant: Date): number {
  const hours = Math.floor(localMinuteOf(timezone, instant) / 60);
  const day = Math.floor(hours / DAY_HOURS);
  return weekdayOf(day) * DAY_HOURS + hours - day * DAY_HOURS;
}

/**
 * Adds to stages that request openings the same stages by old hours. They come after those that need verified hours, so
 * that places known to be open come first, and those of implied kinds last. `openAt` applies to every stage, and uses old hours with `likely` only.
 */
export function withOldHours(
  stages: readonly Stage[],
  { openAt, openLikely = false }: { openAt?: Date | undefined; openLikely?: boolean | undefined },
): Stage[] {
  const usesOld = (stage: Stage) => (openAt === undefined ? stage.openings !== undefined : openLikely);
  const old = (some: readonly Stage[]) =>
    some.filter(usesOld).map((stage): Stage => ({ ...stage, byOldHours: true, isName: false }));
  const first = stages.filter(({ whenEmpty, isImplied }) => whenEmpty !== true && isImplied !== true);
  const implied = stages.filter(({ isImplied }) => isImplied === true);
  const rest = stages.filter(({ whenEmpty }) => whenEmpty === true);
  const last = rest.flatMap((stage) => [stage, ...old([stage])]);
  return [...first, ...old(first), ...implied, ...old(implied), ...last];
}
