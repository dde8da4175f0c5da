import { LRUCache } from 'lru-cache';
import { iso1A2Code } from '@rapideditor/country-coder';
import { arrayLiteral, copyField, storableJson } from '../../core/postgres/copy-into.ts';
import { fold } from '../../core/text/fold.ts';
import type { NewId } from '../../core/ids.ts';
import { recognizePlatform } from '../../directory/booking-route/platforms.ts';
import { compileHours } from '../../directory/hours/compile/compile-hours.ts';
import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import type { AreaIndex } from '../areas/area-index.ts';
import type { PlaceDraft } from '../place-draft.ts';
import type { ImportDestination } from './covering-destination.ts';
import type { ImportNotes } from './import-notes.ts';
import { nameKeys } from './dedupe/name-key.ts';
import { generatedName } from '../../directory/place/generated-name.ts';
import { DAY_MS } from '../../core/time.ts';

/** Returns all other names of a place. Names without a language get private tags. */
function allNames({ names, other_names }: PlaceDraft): Record<string, string> {
  const otherNames = other_names.map((name, at) => [`x-other${at + 1}`, name] as const);
  return { ...names, ...Object.fromEntries(otherNames) };
}

const NO_AREA = { area: null, areas: [] };
const VERIFIED_MS = 365 * DAY_MS;
/** Bounds the memory of the cache; compiled hours have about a thousand characters. */
const CACHE_CHARACTERS_MAX = 16_000_000;

/** Columns of the staging table, in the order of the fields of a line. */
export const DRAFT_COLUMNS = `
  id text, source text, source_ref text, destination_id text, name text, names jsonb, latin_name text, vertical text,
  category text, categories text[], cuisine text[], country text, city text, area text, address text, lat float8,
  lng float8, phone text, email text, website text, languages text[], hours jsonb, booking_url text,
  booking_platform text, verified_at timestamptz, areas text[], regions text[], facts jsonb, prominence smallint,
  observed_at timestamptz, accolades jsonb, disused boolean, disused_note text, disused_at timestamptz, name_keys text[],
  name_generated boolean`;

/** Region whose holidays apply. */
interface Calendar {
  country: string;
  regions: readonly string[];
}

/** Writes drafts as lines for COPY, with hours compiled for their destination. */
export class DraftLines {
  readonly #now: Date;
  readonly #newId: NewId;
  readonly #areas: AreaIndex;
  readonly #hours = new LRUCache<string, string>({
    maxSize: CACHE_CHARACTERS_MAX,
    sizeCalculation: (compiled, text) => compiled.length + text.length,
  });
  readonly #notes: ImportNotes;
  hoursNotUnderstood = 0;

  constructor(now: Date, newId: NewId, areas: AreaIndex, notes: ImportNotes) {
    this.#now = now;
    this.#notes = notes;
    this.#newId = newId;
    this.#areas = areas;
  }

  line(rawDraft: PlaceDraft, destination: ImportDestination | undefined): string {
    const draft = this.#noted(rawDraft);
    const country =
      draft.country ??
      iso1A2Code([draft.lng, draft.lat], { level: 'territory' }) ??
      destination?.country ??
      null;
    const { area, areas } = destination === undefined ? NO_AREA : this.#areasOf(draft);
    const isGenerated = draft.name_generated ?? false;
    const regions = destination === undefined ? [] : this.#areas.regionsAt(draft);
    const fields = [
      this.#newId('plc'),
      draft.source,
      draft.source_ref,
      destination?.id ?? null,
      draft.name || generatedName(draft.category, area),
      storableJson(allNames(draft)),
      draft.latin_name,
      draft.vertical,
      draft.category,
      arrayLiteral(draft.categories),
      arrayLiteral(draft.cuisine),
      country,
      draft.city,
      area,
      draft.address,
      draft.lat,
      draft.lng,
      draft.phone,
      draft.email,
      draft.website,
      arrayLiteral(draft.languages),
      destination === undefined
        ? null
        : this.#hoursOf(draft, destination, { country: country ?? destination.country, regions }),
      draft.booking_url,
      draft.booking_url === null ? null : (recognizePlatform(draft.booking_url)?.name ?? null),
      this.#verifiedAt(draft),
      arrayLiteral(areas),
      arrayLiteral(regions),
      storableJson(draft.facts),
      draft.prominence,
      draft.observed_at?.toISOString() ?? null,
      storableJson(draft.accolades),
      draft.closed !== null,
      draft.closed?.note ?? null,
      draft.closed?.observed_at?.toISOString() ?? null,
      // Different objects may get the same generated name, so it never makes two of them duplicates.
      arrayLiteral(isGenerated ? [] : nameKeys([draft.name, ...Object.values(allNames(draft))])),
      isGenerated,
    ];
    return `${fields.map(copyField).join('\t')}\n`;
  }

  /** Returns the draft without impossible dates. Removed dates and truncated texts are counted. */
  #noted(draft: PlaceDraft): PlaceDraft {
    const { source_ref, touched_at, observed_at, closed, cut } = draft;
    if (cut !== undefined) this.#notes.noteCut(source_ref, cut);
    const observed = this.#notes.usableDate(source_ref, observed_at);
    const touched = touched_at === observed_at ? observed : this.#notes.usableDate(source_ref, touched_at);
    const since = closed?.observed_at === observed_at ? observed : (closed?.observed_at ?? null);
    if (observed === observed_at && touched === touched_at) return draft;
    return {
      ...draft,
      observed_at: observed,
      touched_at: touched,
      closed: closed && { ...closed, observed_at: since },
    };
  }

  /**
   * Returns the area to show, which is that of the address if it has one, and all areas that contain the
   * place. The address's area is one of these, unless a known shape of that name does not
   * contain the place. Its city is one too if the map has that city as a point only.
   */
  #areasOf(draft: PlaceDraft): { area: string | null; areas: string[] } {
    const { areas: around, smallest } = this.#areas.at(draft);
    const { area } = draft;
    const city = draft.city === null ? undefined : this.#areas.pointNamed(draft.city);
    const areas = city === undefined || has(around, city) ? around : [...around, city];
    if (area === null) return { area: smallest, areas };
    const isKnown = this.#areas.hasShapeNamed(area) || has(areas, area);
    return { area, areas: isKnown ? areas : [area, ...areas] };
  }

  #verifiedAt({ touched_at, closed }: PlaceDraft): string | null {
    if (touched_at === null || closed !== null) return null;
    return this.#now.getTime() - touched_at.getTime() <= VERIFIED_MS ? touched_at.toISOString() : null;
  }

  #hoursOf(draft: PlaceDraft, destination: ImportDestination, calendar: Calendar): string | null {
    if (draft.hours_text === null) return null;
    const compiled = this.#compiled(draft.hours_text, destination, calendar);
    if (compiled === 'null') this.hoursNotUnderstood++;
    const observed_at = draft.touched_at?.toISOString() ?? null;
    const stored = storableJson({ text: draft.hours_text, source: 'map', observed_at });
    return `${stored.slice(0, -1)},"compiled":${compiled}}`;
  }

  /** Returns the compiled hours as JSON. Cached, because many places share a text and compiling is slow. */
  #compiled(text: string, { id, lat, lng, timezone }: ImportDestination, calendar: Calendar): string {
    const local = `${id} ${calendar.country} ${calendar.regions.join(' ')} ${text}`;
    const cached = this.#hours.get(text) ?? this.#hours.get(local);
    if (cached !== undefined) return cached;
    const hours = compileHours(text, { lat, lng, ...calendar, timezone, now: this.#now });
    const compiled = JSON.stringify(hours);
    this.#hours.set(isSameEverywhere(text, hours) ? text : local, compiled);
    return compiled;
  }
}

function has(areas: readonly string[], area: string): boolean {
  return areas.some((name) => fold(name) === fold(area));
}

/** True for a plain week; hours that depend on the sun, on holidays or on today differ by place. */
function isSameEverywhere(text: string, hours: CompiledHours | null): boolean {
  return hours !== null && hours.from === undefined && !/sun(rise|set)|dawn|dusk|\b[PS]H\b/i.test(text);
}
