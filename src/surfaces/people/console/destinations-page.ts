import { METRES_PER_DEGREE, type BoundingBox } from '../../../core/geo.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { countryName } from '../../../directory/country/country.ts';
import {
  countDestinations,
  listDestinationRecords,
  type DestinationCounts,
  type DestinationLack,
  type DestinationRecord,
  type ListedDestination,
} from '../../../directory/destination-roster.ts';
import { ASSIGNMENT_NOTE } from '../../../import/add-destination.ts';
import { Shape } from '../../../import/areas/shape.ts';
import type { StreetMap } from '../../../streets/street-tiles.ts';
import { actionForm } from '../form/action-form.ts';
import { badge, emptyState, link, rowLink, softText, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable } from '../frame/table.ts';
import { definePage } from '../person/page.ts';
import { leads } from '../person/people.ts';
import { pointMap, showsStreets } from '../traveller/map/street-figure.ts';
import {
  addDestinationAction,
  changeDestinationAction,
  DESTINATION_PATH,
  recordedDestination,
  DESTINATIONS_PATH,
  OUTLINE_MAX,
} from './destination-actions.ts';
import { filterForm, hasFilters, LIST_PAGE_SIZE, readFilters } from './list-page.ts';
import { recordCard, recordColumns } from './record-parts.ts';
import { SET_UP_PATH } from './set-up/set-up.ts';

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

export const destinationsPage = definePage({
  path: DESTINATIONS_PATH,
  who: leads,
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
      ${filterForm(DESTINATIONS_PATH, FILTERS, filter, { button: 'Find', role: 'search' })}
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
      ${nextPage(DESTINATIONS_PATH, more, `Next ${LIST_PAGE_SIZE}`)}
      ${actionForm(req, addDestinationAction, state)}`,
    };
  },
  actions: [addDestinationAction],
});

/** Counts of the whole directory; those that need work lead to their destinations. */
function countTiles({ destinations, places, without_places, without_outline }: DestinationCounts): Html {
  const lacking = (count: number, lacks: DestinationLack) =>
    count === 0 ? formatNumber(0) : link(`${DESTINATIONS_PATH}?lacks=${lacks}`, formatNumber(count));
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
      ({ id, name, slug }) =>
        html`${rowLink(`${DESTINATIONS_PATH}/${id}`, userText(name))} ${softText(slug)}`,
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
      next: link(`${DESTINATIONS_PATH}/${id}#destination_change-outline`, 'Give its outline'),
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
  path: DESTINATION_PATH,
  who: leads,
  async load({ deps: { pool, streets }, params }) {
    const [destination, map] = await Promise.all([recordedDestination(pool, params), streets.look()]);
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
        actionForm(req, changeDestinationAction, state, {
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
  actions: [changeDestinationAction],
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
