import { AppError } from '../../../../core/errors.ts';
import { findPlace, type Place } from '../../../../directory/place/place.ts';
import type { PageRequest } from '../console-route.ts';

/** The place that the address names. */
export async function placeOf({ deps, request }: PageRequest): Promise<Place> {
  const { id } = request.params as { id: string };
  const place = /^plc_[0-9a-z]{26}$/.test(id) ? await findPlace(deps.pool, id) : undefined;
  if (place === undefined) throw new AppError('place_not_found', 'There is no place of this id.');
  return place;
}
