import type { Ctx, OperationDeps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Destination } from '../destinations.ts';
import { findDestination, guessNamed, suggestDestinations } from '../find-destination.ts';
import { refuseRemoved, type RemovalColumns } from '../removal.ts';
import { findPlace, type Place } from './place.ts';
import { findRecordRow, type RecordRow } from './record-row.ts';

const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * Finds the destination that the caller named, also with a typo where only one can be meant. Throws an error with the
 * nearest names otherwise.
 */
export function requireDestination({ destinations }: OperationDeps, text: string): Destination {
  const { current } = destinations;
  const destination = findDestination(current, text) ?? guessNamed(current, text);
  if (destination !== undefined) return destination;
  throw new AppError('unknown_destination', 'No destination with this name is covered.', {
    hint: `${suggestDestinations(current, text)} list_destinations gives all of them.`,
  });
}

/**
 * Finds a place with its destination. A closed place is returned too, since the caller must learn why. A removed one is
 * refused.
 */
export async function requirePlace(
  ctx: Ctx,
  placeId: string,
): Promise<{ place: Place; destination: Destination }> {
  const { row: place, destination } = await requireRow(ctx, placeId, findPlace);
  return { place, destination };
}

/** Like `requirePlace`, in the form for partners. */
export function requireRecord(
  ctx: Ctx,
  placeId: string,
): Promise<{ row: RecordRow; destination: Destination }> {
  return requireRow(ctx, placeId, findRecordRow);
}

async function requireRow<Row extends RemovalColumns & { destination_id: string }>(
  { db, deps }: Ctx,
  placeId: string,
  find: (db: Ctx['db'], placeId: string) => Promise<Row | undefined>,
): Promise<{ row: Row; destination: Destination }> {
  const row = PLACE_ID.test(placeId) ? await find(db, placeId) : undefined;
  if (row === undefined) throw placeNotFound();
  refuseRemoved(row);
  return { row, destination: await destinationOf(deps, row) };
}

function placeNotFound(): AppError {
  return new AppError('place_not_found', 'No place has this place_id.', {
    hint: 'Use a place_id from a search; it begins with plc_.',
  });
}

/** Like `requirePlace`, but refuses a closed place, for data that is useless once a place has closed. */
export async function requireOpenPlace(ctx: Ctx, placeId: string): Promise<Place> {
  const { place } = await requirePlace(ctx, placeId);
  if (place.closed_at === null) return place;
  throw new AppError('place_not_found', 'This place appears to have closed. Do not send anyone.', {
    hint: 'place_details shows the evidence.',
  });
}

async function destinationOf(
  { destinations }: OperationDeps,
  { destination_id }: { destination_id: string },
): Promise<Destination> {
  const find = () => destinations.current.destinations.find(({ id }) => id === destination_id);
  const cached = find();
  if (cached !== undefined) return cached;
  // A destination that was just added may be missing from this node's snapshot.
  await destinations.refresh();
  const added = find();
  if (added === undefined) throw new Error('A place is in a destination that cannot be read.');
  return added;
}
