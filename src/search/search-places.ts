import { decodePosition, encodePosition } from '../core/cursor.ts';
import type { OperationDeps } from '../core/context.ts';
import { briefCard, cardLine, ALL_CARD_FIELDS, moreLines, openingOf, type CardField } from './brief-card.ts';
import { CardWriter, type AddedFields } from './card.ts';
import type { PlaceCard } from '../directory/place/place-fields.ts';
import { countryName } from '../directory/country/country.ts';
import type { Destination } from '../directory/destinations.ts';
import { destinationOf } from '../directory/find-destination.ts';
import { lazy } from '../core/memory/lazy.ts';
import { formatCount } from '../core/text/format-count.ts';
import { joinLines } from '../core/text/tool-text.ts';
import type { Languages } from '../core/text/languages.ts';
import { shownPhones, type ShownPhones } from '../directory/place/shown-phones.ts';
import type { Hit } from './query/hit.ts';
import type { IndexQuery } from './query/index-query.ts';
import { understoodWords, type Understood } from './understand/understood.ts';

export interface PlaceSearch extends Omit<IndexQuery, 'destination' | 'after' | 'cells' | 'named'> {
  destination?: Destination | undefined;
  cursor?: string | undefined;
  /** Languages for names; undefined: names as on the signs. */
  languages?: Languages | undefined;
  /** Corrections made before the search, by the words as sent. */
  corrected?: Record<string, string> | undefined;
}

export interface FoundPlaces {
  hits: readonly Hit[];
  nextCursor: string | null;
  /** Interpretation of the text, unless it matched a whole name. */
  understood: Understood | undefined;
  /** Writes the answer as JSON: the cards between two texts. */
  write(around: readonly [string, string], fields?: readonly CardField[]): Buffer;
  cards(): PlaceCard[];
  /** Returns the cards with default and requested fields only. */
  brief(fields: readonly CardField[]): object[];
  /** Renders the places as text, one line each, followed by the requested fields. */
  summary(fields: readonly CardField[]): string;
}

/** Returns the fields to add to each place: the requested ones, or all of them for a single result. */
export function selectFields(
  { hits, nextCursor }: FoundPlaces,
  { fields, cursor }: { fields?: readonly CardField[] | undefined; cursor?: string | undefined },
): readonly CardField[] {
  if (fields !== undefined) return fields;
  return hits.length === 1 && nextCursor === null && cursor === undefined ? ALL_CARD_FIELDS : [];
}

const writers = new WeakMap<object, CardWriter>();

/** Searches places for every surface and page. Closed places are not in the index. */
export function searchPlaces(
  deps: OperationDeps,
  search: PlaceSearch,
  added: (hit: Hit) => AddedFields | undefined = distanceOf,
): FoundPlaces {
  const { destination, cursor: _cursor, languages, corrected, ...query } = search;
  const number = destination === undefined ? undefined : deps.places.destinationNumber(destination.id);
  const {
    hits,
    next,
    understood: fromSearch,
  } = destination !== undefined && number === undefined
    ? { hits: [], next: undefined, understood: undefined }
    : deps.places.search({
        ...query,
        destination: number,
        named: search.text === undefined ? undefined : deps.destinations.current,
        after: search.cursor === undefined ? undefined : decodePosition(purposeOf(search), search.cursor),
      });
  const understood =
    corrected === undefined
      ? fromSearch
      : { ...fromSearch, corrected: { ...corrected, ...fromSearch?.corrected } };
  const addedWith = (fields: readonly CardField[]) =>
    fields.some((field) => OUTSIDE_CARD.has(field))
      ? (hit: Hit) => ({ ...added(hit), ...phonesOf(hit), hours: hit.week })
      : added;
  const cardsWith = (fields: readonly CardField[]) => {
    const addedFields = addedWith(fields);
    return hits.map((hit) => writerOf(deps).card(hit, addedFields(hit), languages));
  };
  const cards = lazy(() => cardsWith([]));
  const nextCursor = next === undefined ? null : encodePosition(purposeOf(search), next);
  return {
    hits,
    nextCursor,
    understood,
    write: (around, fields = []) => writerOf(deps).write(around, hits, addedWith(fields), languages),
    cards,
    brief: (fields) => {
      const selected = fields.length === 0 ? cards() : cardsWith(fields);
      return selected.map((card) => briefCard(card, fields, destination !== undefined));
    },
    summary: (fields) => {
      const selected = fields.length === 0 ? cards() : cardsWith(fields);
      const lines = selected.map((card, at) => {
        const hit = hits[at] as Hit;
        const where = destination === undefined ? townOf(deps, card) : null;
        const opening = openingOf(hit, search.openAt ?? deps.clock.now());
        const line = `${at + 1}. ${cardLine(card, opening, where)}`;
        return fields.length === 0 ? line : joinLines(line, moreLines(card, fields, hit));
      });
      return joinLines(
        hits.length === 0 ? 'No place matches.' : `${formatCount(hits.length, 'place')}:`,
        ...lines,
        understood && understoodWords(understood),
        hits.some(({ openByHours }) => openByHours !== null) &&
          'Hours with a date are not verified; call to check.',
        nextCursor !== null && `More with cursor ${nextCursor}`,
      );
    },
  };
}

/** Returns the town and the country of a place. Its destination stands for a town that its source does not state. */
function townOf({ destinations }: OperationDeps, card: PlaceCard): string {
  const destination = destinationOf(destinations.current, card.destination);
  const town = card.city ?? destination?.name ?? '';
  const country = countryName(card.country);
  const parts = town === card.area || town === country ? [country] : [town, country];
  return parts.filter((part) => part !== '').join(', ');
}

function writerOf({ config }: OperationDeps): CardWriter {
  return writers.getOrInsertComputed(config, () => new CardWriter(config.baseUrl, config.prefix));
}

/** Fields that the index stores outside the card. */
function phonesOf({ place }: Hit): ShownPhones {
  const { phone, facts = {} } = place;
  return shownPhones({ phone, facts, country: place.readCard().country });
}

const OUTSIDE_CARD: ReadonlySet<CardField> = new Set(['phone', 'hours', 'all']);

/** Returns the distance of a place found near a point or a landmark. */
export function distanceOf({ metres }: Hit): AddedFields | undefined {
  return metres === undefined ? undefined : { distance_m: Math.round(metres) };
}

/**
 * Returns the purpose that a cursor is bound to: with another search it would silently skip places. Pages may differ in
 * size and language.
 */
function purposeOf(search: PlaceSearch): string {
  const { destination, openAt, limit: _limit, cursor: _cursor, languages: _languages, ...remaining } = search;
  const { corrected: _corrected, ...rest } = remaining;
  const filters = Object.entries(rest).filter(([, value]) => value !== undefined);
  return `search ${JSON.stringify([destination?.id, openAt !== undefined, filters.sort(byName)])}`;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
