import { ownValue } from '../../../../core/input/own-value.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { dateOf } from './place-dates.ts';

/** Display names of sources. */
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  osm: 'OpenStreetMap',
  overture: 'Overture Maps',
  geojson: 'Imported list',
  demo: 'Demonstration data (fictional)',
  submission: 'Submitted by an agent',
};

/** Names the sources of a place's facts: its own source, and those that filled gaps. */
export function factSources({ source, facts, filled_by }: Place): string {
  const others = Object.keys(facts).flatMap((fact) => filled_by[fact]?.ref ?? []);
  const own = Object.keys(facts).some((fact) => !(fact in filled_by)) ? [source] : [];
  const names = [...new Set([...own, ...others])].map((one) => ownValue(SOURCE_NAMES, one) ?? 'its source');
  return names.join(' and ');
}

/** Shows the listing's source and dates. */
export function sourcesSection(place: Place, timezone: string): Html {
  const { source, source_ref, observed_at, updated_at, verified_at, id, submitted_by } = place;
  return html`<section aria-labelledby="sources-title">
    <h2 id="sources-title">Sources</h2>
    ${definitionList('details', [
      [
        'Listing',
        html`${ownValue(SOURCE_NAMES, source) ?? sentenceCase(source)}${reference(source, source_ref)}`,
      ],
      [
        'Submitted by',
        submitted_by &&
          html`<bdi>${submitted_by.agent_name}</bdi> for <bdi>${submitted_by.operator_name}</bdi>`,
      ],
      ['From the map of', observed_at === null ? 'Not known' : dateOf(observed_at, timezone)],
      ['Last changed here', dateOf(updated_at, timezone)],
      [
        'Last verified by a person or a source',
        verified_at === null ? 'Not yet' : dateOf(verified_at, timezone),
      ],
      ['Place ID', html`<code>${id}</code>`],
    ])}
  </section>`;
}

function reference(source: string, ref: string): Html | false {
  // Demonstration data has no source to look up.
  if (source === 'demo') return false;
  const onMap = source === 'osm' && /^(?:node|way|relation)\/\d+$/.test(ref);
  return onMap
    ? html`, <a class="tall" href="https://www.openstreetmap.org/${ref}" rel="noopener">${ref}</a>`
    : html`, <bdi>${ref}</bdi>`;
}
