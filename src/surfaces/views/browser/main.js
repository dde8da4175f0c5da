/** @import { PlaceRecord, Setup, ViewRenderer } from './shapes.ts' */
import { setup, startView } from './frame.js';
import { photosView } from './photos.js';
import { placeRecord } from './place-record.js';
import { placesView } from './places.js';
import { reservationView } from './reservation.js';
import { tableView } from './table.js';

/** @type {Record<Setup['view'], ViewRenderer>} */
const VIEWS = {
  places: placesView,
  place: (answer) => placeRecord(/** @type {PlaceRecord} */ (/** @type {unknown} */ (answer))),
  table: tableView,
  photos: photosView,
  reservation: reservationView,
};

void startView(VIEWS[setup.view]);
