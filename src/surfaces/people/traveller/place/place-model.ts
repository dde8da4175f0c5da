import type { Destination } from '../../../../directory/destinations.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { Site } from '../../frame/layout.ts';
import type { BaseMap } from '../map/ground.ts';
import type { PageReader } from '../reader.ts';

/** Everything that the page of one place shows. */
export interface PlaceModel {
  site: Site;
  now: Date;
  place: Place;
  reader: PageReader;
  destination: Destination;
  ground: BaseMap;
}
