import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { titledSection } from '../../frame/sections.ts';
import { findCards, type ListedCard } from '../destination-query.ts';
import { findThumbnails } from '../place-picture.ts';
import { placeEntry } from '../place-list.ts';
import type { PageReader } from '../reader.ts';
import type { Alternatives, PlaceModel } from './place-model.ts';

const ALTERNATIVES = 4;
const RADIUS_M = 1_500;

/** Finds the nearest places of the same kind, those that are open first. Returns none while the index is built. */
export async function findAlternatives(
  deps: Deps,
  place: Place,
  reader: PageReader,
  now: Date,
): Promise<Alternatives | undefined> {
  if (place.lat === null || place.lng === null) return undefined;
  try {
    const cards = searchNearby(deps, place, { lat: place.lat, lng: place.lng }, reader, now);
    const ids = cards.map(({ place_id }) => place_id);
    return { cards, thumbnails: await findThumbnails(deps.pool, ids) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'maintenance') return undefined;
    throw error;
  }
}

function searchNearby(
  deps: Deps,
  { id, category, vertical }: Place,
  { lat, lng }: { lat: number; lng: number },
  { languages }: PageReader,
  now: Date,
): ListedCard[] {
  const near = { lat, lng, radiusM: RADIUS_M, except: id };
  const find = (kind: string, openAt: Date | undefined): ListedCard[] =>
    findCards(
      deps,
      { near, category: kind, openAt, openLikely: openAt !== undefined, limit: ALTERNATIVES, languages },
      now,
    ).cards;
  const found = new Map<string, ListedCard>();
  for (const [kind, openAt] of [
    [category, now],
    [vertical, now],
    [category, undefined],
  ] as const) {
    if (found.size >= ALTERNATIVES) break;
    for (const card of find(kind, openAt)) if (card.place_id !== id) found.set(card.place_id, card);
  }
  return [...found.values()].slice(0, ALTERNATIVES);
}

export function alternativesSection({
  place,
  alternatives,
  reader,
  destination,
  now,
}: PlaceModel): Html | false {
  if (alternatives === undefined || alternatives.cards.length === 0) return false;
  const { cards, thumbnails } = alternatives;
  const title = cards.some(({ open_now }) => open_now === true) ? 'Open nearby' : 'Nearby';
  return titledSection(
    'alternatives',
    place.closed_at === null ? title : 'Go here instead',
    html`<ol class="places cards">
      ${cards.map((card) => placeEntry(card, { reader, thumbnails }, destination.timezone, now))}
    </ol>`,
    'alternatives',
  );
}
