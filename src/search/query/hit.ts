import { localizedArea } from '../areas/areas-in.ts';
import { areasNamed, areaTerm } from '../areas/area-names.ts';
import type { Languages } from '../../core/text/languages.ts';
import { dateOfDay, type CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { isOpenAt, openAt, type OpenAt } from '../../directory/hours/open-at.ts';
import type { OpenByHours } from '../../directory/hours/open-status.ts';
import { structuredWeek, type StructuredWeek } from '../../directory/hours/weekly-hours.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Spot } from '../store/hash-table.ts';
import { term } from '../store/keys.ts';
import { withLists } from '../store/list.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { StoredPlace } from '../store/stored-place.ts';
import { docsIn } from './expression.ts';

const UNKNOWN: OpenAt = { open: null, until: null };

/** Computes `until` lazily, because most lists only need `open`. */
class OpenThen implements OpenAt {
  readonly open: boolean | null;
  readonly #compiled: CompiledHours;
  readonly #timezone: string;
  readonly #instant: Date;

  constructor(compiled: CompiledHours, timezone: string, instant: Date) {
    this.open = isOpenAt(compiled, timezone, instant);
    this.#compiled = compiled;
    this.#timezone = timezone;
    this.#instant = instant;
  }

  get until(): Date | null {
    return openAt(this.#compiled, this.#timezone, this.#instant).until;
  }
}

/** Hours of a place that are too old to be verified, with their date. */
interface OldHours {
  compiled: CompiledHours;
  from: string;
}

/** A place in search results. */
export class Hit {
  readonly place: StoredPlace;
  readonly spot: Pick<Spot, 'destination' | 'doc'>;
  /** Open state at the requested time. */
  readonly open: OpenAt;
  readonly metres: number | undefined;
  /** True when it is listed as open by hours that are too old to be verified. */
  openNotVerified = false;
  /** True when it is only of a kind that the text implies. */
  isImplied = false;
  readonly #index: OpenIndex;
  readonly #instant: Date;
  #openByHours: { state: OpenByHours | null } | undefined;

  constructor(index: OpenIndex, spot: Hit['spot'], place: StoredPlace, instant: Date, metres?: number) {
    this.#index = index;
    this.#instant = instant;
    this.spot = spot;
    this.place = place;
    this.metres = metres;
    this.open = this.openAt(instant);
  }

  openAt(instant: Date): OpenAt {
    const compiled = this.verifiedHours(instant);
    return compiled === undefined ? UNKNOWN : new OpenThen(compiled, this.timezone, instant);
  }

  /** The compiled hours, if they are verified at an instant. */
  verifiedHours(instant: Date): CompiledHours | undefined {
    const { hours, hoursUntil } = this.place;
    if (hours === 0 || (hoursUntil + 1) * DAY_MS <= instant.getTime()) return undefined;
    return this.#index.hours(hours);
  }

  /** The hours, if they are too old to be verified at an instant. */
  oldHours(instant: Date): OldHours | undefined {
    const { hours, hoursFrom, hoursUntil } = this.place;
    if (hours === 0 || hoursFrom === 0 || (hoursUntil + 1) * DAY_MS > instant.getTime()) return undefined;
    const compiled = this.#index.hours(hours);
    return compiled && { compiled, from: dateOfDay(hoursFrom) };
  }

  /** Open state by hours that are too old to be verified; null for all other hours. */
  openByHoursAt(instant: Date): OpenByHours | null {
    const old = this.oldHours(instant);
    if (old === undefined) return null;
    const then = new OpenThen(old.compiled, this.timezone, instant);
    const { open } = then;
    if (open === null) return null;
    return {
      open,
      from: old.from,
      get until() {
        return then.until;
      },
    };
  }

  /** The same at the requested time. */
  get openByHours(): OpenByHours | null {
    return (this.#openByHours ??= { state: this.openByHoursAt(this.#instant) }).state;
  }

  /** The regular week, if known, and whether it is verified. */
  get week(): { structured: StructuredWeek; verified: boolean } | null {
    const { hours } = this.place;
    const compiled = hours === 0 ? undefined : this.#index.hours(hours);
    const structured = compiled === undefined ? null : structuredWeek(compiled);
    return structured === null ? null : { structured, verified: this.open !== UNKNOWN };
  }

  get timezone(): string {
    return this.#index.destination(this.spot.destination)?.timezone ?? 'UTC';
  }

  /** True when the place is of a kind, by any term in its record. */
  isOf(kinds: readonly string[]): boolean {
    const { destination, doc } = this.spot;
    return withLists(() =>
      kinds.some((kind) => docsIn(this.#index, destination, term('k', kind)).seek(doc) === doc),
    );
  }

  /** True when the place lies in an area, by any of its names. */
  isIn(area: string): boolean {
    const { destination, doc } = this.spot;
    return withLists(() =>
      areasNamed(this.#index, area, destination).some(
        (key) => docsIn(this.#index, destination, areaTerm(key)).seek(doc) === doc,
      ),
    );
  }

  /** Returns the name of its area in the reader's language. */
  localizedArea(area: string, country: string, languages: Languages): string {
    return localizedArea(this.#index, { area, country }, languages);
  }

  at(metres: number, instant: Date): Hit {
    const hit = new Hit(this.#index, this.spot, this.place, instant, metres);
    hit.openNotVerified = this.openNotVerified;
    hit.isImplied = this.isImplied;
    return hit;
  }
}
