/** @import { PlaceRecord } from './shapes.ts' */
import { startView } from './frame.js';
import { placeRecord } from './place-record.js';

void startView((answer) => placeRecord(/** @type {PlaceRecord} */ (/** @type {unknown} */ (answer))));
