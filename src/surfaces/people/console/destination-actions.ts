import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { NAME_MAX } from '../../../core/text/limits.ts';
import { line, text } from '../../../core/text/text.ts';
import { readCountry } from '../../../directory/country/country.ts';
import { findDestinationRecord, type DestinationRecord } from '../../../directory/destination-roster.ts';
import {
  addDestination,
  ASSIGNMENT_NOTE,
  changeDestination,
  DESTINATION_SLUG,
  DestinationExistsError,
  RADIUS_KM_DEFAULT,
  RADIUS_KM_MAX,
  readOutline,
} from '../../../import/add-destination.ts';
import type { Shape } from '../../../import/areas/shape.ts';
import { ImportFileError } from '../../../import/import-file-error.ts';
import { areaInput, textInput, type FormValues } from '../form/fields.ts';
import { defineAction, refuse } from '../person/action.ts';
import type { PageRequest } from '../person/page-request.ts';
import { leads } from '../person/people.ts';

export const DESTINATIONS_PATH = '/console/destinations';
export const DESTINATION_PATH = `${DESTINATIONS_PATH}/:id`;
// Encoded in a form, a GeoJSON text of this length stays below the limit of the body.
export const OUTLINE_MAX = 100_000;
const OTHER_NAMES_MAX = 10_000;

/** Schema of a number between two limits, as people type it. */
function decimal(min: number, max: number, error: string) {
  return z
    .string()
    .trim()
    .refine((typed) => /^-?\d+(?:\.\d+)?$/.test(typed) && Number(typed) >= min && Number(typed) <= max, error)
    .transform(Number);
}

function degrees(max: number, example: string) {
  return decimal(-max, max, `must be degrees from -${max} to ${max}, such as ${example}`);
}

const RADIUS_ERROR = `must be kilometres from 0.1 to ${RADIUS_KM_MAX}, such as 9`;
const none = z
  .string()
  .trim()
  .length(0)
  .transform(() => undefined);
const radius = z.union([none, decimal(0.1, RADIUS_KM_MAX, RADIUS_ERROR)], RADIUS_ERROR);

const name = textInput(line(1, NAME_MAX), { label: 'Name', maxlength: NAME_MAX, required: true });

const extentFields = {
  other_names: areaInput(text(0, OTHER_NAMES_MAX), {
    label: 'Other names',
    hint: 'One per line. Searches accept them too.',
    maxlength: OTHER_NAMES_MAX,
  }),
  lat: textInput(degrees(90, '36.045'), {
    label: 'Latitude of the centre',
    hint: 'In degrees, south of the equator negative.',
    maxlength: 20,
    required: true,
  }),
  lng: textInput(degrees(180, '14.25'), {
    label: 'Longitude of the centre',
    hint: 'In degrees, west of Greenwich negative.',
    maxlength: 20,
    required: true,
  }),
  radius: textInput(radius, {
    label: 'Radius in kilometres',
    hint: `Of the box around the centre. Empty: ${RADIUS_KM_DEFAULT} km, or the outline.`,
    inputmode: 'decimal',
    maxlength: 20,
  }),
  outline: areaInput(text(0, OUTLINE_MAX), {
    label: 'Outline',
    hint: `Instead of a radius: GeoJSON with a Polygon or MultiPolygon, of at most ${formatNumber(OUTLINE_MAX)} characters. Holes are ignored.`,
    rows: 4,
    maxlength: OUTLINE_MAX,
  }),
};

const SMALLEST_WINS = 'If several destinations cover a position, the smallest has the place.';

/** Adds a destination, as `waypost destination add` does. */
export const addDestinationAction = defineAction({
  name: 'destination_add',
  path: DESTINATIONS_PATH,
  who: leads,
  title: 'Add a destination',
  help: `${ASSIGNMENT_NOTE} ${SMALLEST_WINS}`,
  fields: {
    slug: textInput(
      z
        .string()
        .trim()
        .max(100)
        .regex(DESTINATION_SLUG, 'must be lower-case letters, digits and single hyphens, such as gozo'),
      {
        label: 'Slug',
        hint: 'Short name in web addresses, such as gozo. It cannot be changed later.',
        maxlength: 100,
        required: true,
      },
    ),
    name,
    country: textInput(line(1, NAME_MAX), {
      label: 'Country',
      hint: 'ISO code or English name, such as MT or Malta. It cannot be changed later.',
      maxlength: NAME_MAX,
      required: true,
    }),
    ...extentFields,
  },
  button: 'Add the destination',
  async run(act, { country: typed, ...values }) {
    const country = readCountry(typed);
    if (country === undefined)
      return refuseField('country', 'This is not a country. Write its ISO code, such as MT.');
    const { slug } = values;
    const id = await addDestination(act.db, act.newId, { slug, country, ...entryOf(values) }).catch(
      (thrown: unknown) =>
        thrown instanceof DestinationExistsError
          ? refuseField('slug', thrown.message, 409)
          : refuseExtent(thrown, values),
    );
    act.audit(id, { slug, country, ...detailOf(values) });
    return { to: `${DESTINATIONS_PATH}/${id}?done=added` };
  },
});

/** Changes names, position and extent of a destination. */
export const changeDestinationAction = defineAction({
  name: 'destination_change',
  path: DESTINATION_PATH,
  who: leads,
  title: 'Change the destination',
  help: `Places keep their ids. A change of the extent moves no place at once: the next import of its file does, also if that file was imported before. ${SMALLEST_WINS} A place that no destination covers any more stays in this one.`,
  fields: { name, ...extentFields },
  button: 'Save the destination',
  done: {
    changed: 'The destination is changed. Import the files of its places again if you changed the extent.',
    same: 'Nothing was changed: the destination has these values already.',
  },
  async run(act, values) {
    const stored = await recordedDestination(act.db, act.params);
    const entry = entryOf(values);
    if (isSame(stored, entry)) {
      act.unchanged();
      return { done: 'same' };
    }
    await changeDestination(act.db, { slug: stored.slug, ...entry }).catch((thrown: unknown) =>
      refuseExtent(thrown, values),
    );
    act.audit(stored.id, detailOf(values));
    return { done: 'changed' };
  },
});

type Values = FormValues<typeof extentFields> & { name: string };

function entryOf({ name, lat, lng, other_names, radius: radiusKm, outline }: Values) {
  if (radiusKm !== undefined && outline !== '') refuseField('radius', 'Give either a radius or an outline.');
  const lines = other_names.split('\n').map((other) => other.trim());
  const otherNames = [...new Set(lines.filter((other) => other !== '' && other !== name))];
  if (otherNames.some((other) => Array.from(other).length > NAME_MAX))
    refuseField('other_names', `Each name must have at most ${NAME_MAX} characters.`);
  return { name, otherNames, lat, lng, radiusKm, outline: outline === '' ? undefined : outlineOf(outline) };
}

function outlineOf(geojson: string): Shape {
  try {
    return readOutline(geojson, 'The outline');
  } catch (thrown) {
    if (!(thrown instanceof ImportFileError)) throw thrown;
    return refuseField('outline', thrown.message);
  }
}

/** Shows why the position and the extent do not fit together. */
function refuseExtent(thrown: unknown, { outline }: Values): never {
  if (!(thrown instanceof ImportFileError)) throw thrown;
  refuseField(outline === '' ? 'lat' : 'outline', thrown.message);
}

/** Shows the error at its field and above the page, because the form may be far below the list. */
function refuseField(field: string, text: string, status = 422): never {
  refuse({
    status,
    faults: { [field]: text },
    notice: { kind: 'bad', text: `Nothing was changed. ${text}` },
  });
}

function isSame(stored: DestinationRecord, entry: ReturnType<typeof entryOf>): boolean {
  return (
    entry.radiusKm === undefined &&
    entry.outline === undefined &&
    entry.name === stored.name &&
    entry.lat === stored.lat &&
    entry.lng === stored.lng &&
    entry.otherNames.join('\n') === stored.other_names.join('\n')
  );
}

function detailOf({ name, lat, lng, radius: radiusKm, outline }: Values) {
  return { name, lat, lng, radius_km: radiusKm ?? null, outline: outline !== '' };
}

/** Returns the destination of a page's address, or throws that there is none. */
export async function recordedDestination(
  db: Db,
  { id = '' }: PageRequest['params'],
): Promise<DestinationRecord> {
  const destination = /^dst_[0-9a-z]{26}$/.test(id) ? await findDestinationRecord(db, id) : undefined;
  if (destination === undefined)
    throw new AppError('not_found', 'There is no destination with this id.', {
      hint: `Look for it at ${DESTINATIONS_PATH}.`,
    });
  return destination;
}
