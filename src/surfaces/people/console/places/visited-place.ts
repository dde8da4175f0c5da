import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { findPlace, type Place } from '../../../../directory/place/place.ts';
import type { PageRequest } from '../../person/page-request.ts';

/** Returns the place named by the URL. */
export async function placeFromUrl(
  db: Db,
  { params: { id = '' } }: Pick<PageRequest, 'params'>,
): Promise<Place> {
  const place = /^plc_[0-9a-z]{26}$/.test(id) ? await findPlace(db, id) : undefined;
  if (place === undefined) throw new AppError('place_not_found', 'There is no place with this id.');
  return place;
}
