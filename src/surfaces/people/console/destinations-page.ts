import { z } from 'zod';
import type { Db } from '../../../core/postgres/db.ts';
import { AppError } from '../../../core/errors.ts';
import { METRES_PER_DEGREE, type BoundingBox } from '../../../core/geo.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { NAME_MAX } from '../../../core/text/limits.ts';
import { line, text } from '../../../core/text/text.ts';
import { countryName, readCountry } from '../../../directory/country/country.ts';
import {
  countDestinations,
  findDestinationRecord,
  listDestinationRecords,
  type DestinationCounts,
  type DestinationLack,
  type DestinationRecord,
  type ListedDestination,
} from '../../../directory/destination-roster.ts';
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
import { Shape } from '../../../import/areas/shape.ts';
import type { StreetMap } from '../../../streets/street-tiles.ts';
import { ImportFileError } from '../../../import/import-file-error.ts';
import { actionForm } from '../form/action-form.ts';
import { areaInput, textInput, type FormValues } from '../form/fields.ts';
import { badge, emptyState, link, rowLink, softText, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable } from '../frame/table.ts';
import { defineAction, refuse } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { LEAD_ROLES, staff } from '../person/people.ts';
import { pointMap, showsStreets } from '../traveller/map/street-figure.ts';
import { filterForm, hasFilters, LIST_PAGE_SIZE, readFilters } from './list-page.ts';
import { recordCard, recordColumns } from './record-parts.ts';
import { SET_UP_PATH } from './set-up/set-up.ts';

const PATH = '/console/destinations';
const RECORD_PATH = `${PATH}/:id`;
const LEAD = staff(LEAD_ROLES);
const FILTERS = {
  q: { label: 'Name, slug or country code', type: 'search', maxlength: 120 },
  lacks: {
    label: 'State',
    choices: [
      ['', 'All'],
      ['places', 'No places'],
      ['outline', 'A box, no outline'],
    ],
  },
} as const;
const PAGES_MAX = 1_000;
// Encoded in a form, a GeoJSON text of this length stays below the limit of the body.
const OUTLINE_MAX = 100_000;
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
const add = defineAction({
  name: 'destination_add',
  path: PATH,
  who: LEAD,
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
    return { to: `${PATH}/${id}?done=added` };
  },
});

/** Changes names, position and extent of a destination. */
const change = defineAction({
  name: 'destination_change',
  path: RECORD_PATH,
  who: LEAD,
  title: 'Change the destination',
  help: `Places keep their ids. A change of the extent moves no place at once: the next import of its file does, also if that file was imported before. ${SMALLEST_WINS} A place that no destination covers any more stays in this one.`,
  fields: { name, ...extentFields },
  button: 'Save the destination',
  done: {
    changed: 'The destination is changed. Import the files of its places again if you changed the extent.',
    same: 'Nothing was changed: the destination has these values already.',
  },
  async run(act, values) {
    const stored = await destinationOf(act.db, act.params);
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

export const destinationsPage = definePage({
  path: PATH,
  who: LEAD,
  nav: { label: 'Destinations', key: 'w' },
  async load({ deps: { pool, streets }, query }) {
    const filter = readFilters(query, FILTERS);
    const page = Math.min(PAGES_MAX, Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1));
    const range = { limit: LIST_PAGE_SIZE, offset: (page - 1) * LIST_PAGE_SIZE };
    const [list, counts, map] = await Promise.all([
      listDestinationRecords(pool, { query: filter.q, lacks: filter.lacks, ...range }),
      countDestinations(pool),
      streets.look(),
    ]);
    return { filter, page, counts, map, ...list };
  },
  view(req, { filter, page, counts, map, total, destinations }, state) {
    const more = page * LIST_PAGE_SIZE < total && { ...filter, page: String(page + 1) };
    return {
      title: 'Destinations',
      lead: html`Towns, islands and regions that the directory covers, by name.
      ${link('#destination_add-slug', 'Add a destination')}`,
      body: html`${countTiles(counts)}
      ${filterForm(PATH, FILTERS, filter, { button: 'Find', role: 'search' })}
      ${
        destinations.length > 0
          ? destinationTable(destinations, map)
          : emptyState(
              'No destinations',
              hasFilters(filter)
                ? 'Nothing matches this. Look for a part of the name, or for a country code such as MT.'
                : 'Destinations appear here when you add them, or when an import creates them with --auto-destinations.',
            )
      }
      ${nextPage(PATH, more, `Next ${LIST_PAGE_SIZE}`)} ${actionForm(req, add, state)}`,
    };
  },
  actions: [add],
});

/** Counts of the whole directory; those that need work lead to their destinations. */
function countTiles({ destinations, places, without_places, without_outline }: DestinationCounts): Html {
  const lacking = (count: number, lacks: DestinationLack) =>
    count === 0 ? formatNumber(0) : link(`${PATH}?lacks=${lacks}`, formatNumber(count));
  return definitionList('tiles', [
    ['Destinations', formatNumber(destinations)],
    ['Places', formatNumber(places)],
    ['Without places', lacking(without_places, 'places'), without_places > 0 && 'bad'],
    ['A box, no outline', lacking(without_outline, 'outline')],
  ]);
}

function destinationTable(destinations: readonly ListedDestination[], map: StreetMap | undefined): Html {
  return recordTable('dense stack rows', destinations, [
    [
      'Destination',
      ({ id, name, slug }) => html`${rowLink(`${PATH}/${id}`, userText(name))} ${softText(slug)}`,
    ],
    ['Country', ({ country }) => countryName(country)],
    [{ number: 'Places' }, ({ places }) => formatNumber(places), 'places'],
    [
      'Sample',
      ({ sample }) => (sample.length === 0 ? softText('none') : userText(sample.join(', '))),
      'sample',
    ],
    ['State', (destination) => stateOf(destination, showsStreets(map, destination)).shown, false],
    [
      'Extent',
      (destination) => html`${sizeOf(destination)} ${destination.outlined && softText('outline')}`,
      'extent',
    ],
    ['Next', (destination) => stateOf(destination, showsStreets(map, destination)).next, false],
  ]);
}

/** The first thing that a destination lacks, and the link that leads to it. */
function stateOf(
  { id, slug, places, verified, verified_on, outlined }: Omit<ListedDestination, 'sample'>,
  hasStreets: boolean,
): { shown: Html; next: Html } {
  if (places === 0)
    return { shown: badge('warn', 'No places'), next: link(SET_UP_PATH, 'Import its places') };
  if (!outlined)
    return {
      shown: badge('', 'A box, no outline'),
      next: link(`${PATH}/${id}#destination_change-outline`, 'Give its outline'),
    };
  if (!hasStreets) return { shown: badge('', 'No street map'), next: link(SET_UP_PATH, 'Add its streets') };
  const checked = `${formatNumber(verified)} checked${verified_on === null ? '' : `, last on ${verified_on}`}`;
  return {
    shown: html`${badge('good', 'Complete')} ${softText(checked)}`,
    next: link(`/d/${slug}`, 'See its page'),
  };
}

/** One destination, with the form that changes it. */
export const destinationRecordPage = definePage({
  path: RECORD_PATH,
  who: LEAD,
  async load({ deps: { pool, streets }, params }) {
    const [destination, map] = await Promise.all([destinationOf(pool, params), streets.look()]);
    return { destination, map };
  },
  view: (req, { destination, map }, state) => {
    const { id, slug, name, other_names, country, timezone, lat, lng, places, verified, sample, outline } =
      destination;
    const hasStreets = showsStreets(map, destination);
    const { shown, next } = stateOf({ ...destination, outlined: outline !== null }, hasStreets);
    const zoom = zoomOf(destination);
    return {
      title: name,
      lead: html`<code>${id}</code> ${link(`/d/${slug}`, 'Public page')}
        ${link(`/console/audit?subject=${id}`, 'Audit log')}`,
      scripts: hasStreets ? ['street-map.js'] : [],
      body: recordColumns(
        html`${hasStreets && pointMap({ map, point: { lat, lng }, zoom, still: true, label: `The streets of ${name}` })}
        ${recordCard([
          ['State', shown],
          ['Next', next],
          ['Slug', html`<code>${slug}</code>`],
          ['Country', `${countryName(country)} (${country})`],
          ['Places', `${formatCount(places, 'place')} not known to have closed`],
          ['Sample', sample.length > 0 && userText(sample.join(', '))],
          ['Checked', places > 0 && `${formatNumber(verified)} of ${formatNumber(places)}`],
          ['Centre', `${lat}, ${lng}`],
          ['Extent', extentWords(destination)],
          ['Time zone', timezone],
          ['Other names', other_names.length > 0 && userText(other_names.join(', '))],
        ])}`,
        actionForm(req, change, state, {
          values: { name, other_names: other_names.join('\n'), lat: String(lat), lng: String(lng) },
          fields: {
            radius: { hint: 'Replaces the extent by a box around the centre. Empty: the extent stays.' },
            outline: {
              hint: `Replaces the extent. GeoJSON with a Polygon or MultiPolygon, of at most ${formatNumber(OUTLINE_MAX)} characters; holes are ignored. Empty: the extent stays.`,
            },
          },
        }),
      ),
    };
  },
  actions: [change],
  notices: { added: `The destination is added. ${ASSIGNMENT_NOTE}` },
});

function extentWords(destination: DestinationRecord): string {
  const { west, south, east, north, outline } = destination;
  const box = `${sizeOf(destination)}, from ${south}, ${west} to ${north}, ${east}`;
  if (outline === null) return `A box of ${box}`;
  return `An outline of ${formatNumber(Math.max(1, Math.round(Shape.ofBytes(outline).km2)))} km², within ${box}`;
}

/** Zoom at which a map of some 500 pixels shows the box. */
function zoomOf(box: BoundingBox): number {
  const zoom = Math.floor(Math.log2(78_000 / Math.max(...sidesOf(box), 0.1)));
  return Math.min(15, Math.max(4, zoom));
}

/** Width and height of a box in kilometres, the width in its middle. */
function sidesOf({ west, south, east, north }: BoundingBox): [width: number, height: number] {
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const width = (east < west ? east - west + 360 : east - west) * shrink;
  return [(width * METRES_PER_DEGREE) / 1000, ((north - south) * METRES_PER_DEGREE) / 1000];
}

function sizeOf(box: BoundingBox): string {
  const rounded = sidesOf(box).map((km) => formatNumber(km < 10 ? Math.round(km * 10) / 10 : Math.round(km)));
  return `${rounded.join(' × ')} km`;
}

async function destinationOf(db: Db, { id = '' }: PageRequest['params']): Promise<DestinationRecord> {
  const destination = /^dst_[0-9a-z]{26}$/.test(id) ? await findDestinationRecord(db, id) : undefined;
  if (destination === undefined)
    throw new AppError('not_found', 'There is no destination with this id.', {
      hint: `Look for it at ${PATH}.`,
    });
  return destination;
}
