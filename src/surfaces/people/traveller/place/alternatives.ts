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
/** With fewer than this, places farther away are looked for too. */
const ENOUGH = 3;
const RADIUS_M = 1_500;
const FAR_M = 5_000;

/**
 * Finds the nearest places of the same kind, preferably open ones, or else of a similar kind. Returns none while the
 * index is built.
 */
export async function findAlternatives(
  deps: Deps,
  place: Place,
  reader: PageReader,
  now: Date,
): Promise<Alternatives | undefined> {
  if (place.lat === null || place.lng === null) return undefined;
  try {
    const cards = searchNearby(deps, place, { lat: place.lat, lng: place.lng }, reader, now);
    return { cards, thumbnails: await findThumbnails(deps.publicReads, cards) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'maintenance') return undefined;
    throw error;
  }
}

function searchNearby(
  deps: Deps,
  { id, category, vertical, closed_at }: Place,
  { lat, lng }: { lat: number; lng: number },
  { languages }: PageReader,
  now: Date,
): ListedCard[] {
  const found = new Map<string, ListedCard>();
  for (const [kind, openAt, radiusM] of [
    [category, now, RADIUS_M],
    [vertical, now, RADIUS_M],
    [category, undefined, RADIUS_M],
    [vertical, undefined, RADIUS_M],
    [category, undefined, FAR_M],
    [vertical, undefined, FAR_M],
  ] as const) {
    if (found.size >= (radiusM === FAR_M ? ENOUGH : ALTERNATIVES)) break;
    const near = { lat, lng, radiusM, except: id };
    const openLikely = openAt !== undefined;
    const search = { near, category: kind, openAt, openLikely, limit: ALTERNATIVES, languages };
    for (const card of findCards(deps, search, now).cards)
      if (found.size < ALTERNATIVES) found.set(card.place_id, card);
  }
  // In place of a closed one, people want the same kind; otherwise the nearest.
  const isOther = (card: ListedCard) => Number(closed_at !== null && card.category !== category);
  return [...found.values()].sort(
    (a, b) => isOther(a) - isOther(b) || (a.distance_m ?? 0) - (b.distance_m ?? 0),
  );
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
  const isClosed = place.closed_at !== null;
  const title = cards.every(({ open_now }) => open_now === true) ? 'Open nearby' : 'Nearby';
  return titledSection(
    'alternatives',
    isClosed ? 'Go here instead' : title,
    html`<ol class="places ${!isClosed && 'cards'}">
      ${cards.map((card) => placeEntry(card, { reader, thumbnails }, destination.timezone, now))}
    </ol>`,
    isClosed ? 'alternatives instead' : 'alternatives',
  );
}
