import { ownValue } from '../../../../core/input/own-value.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { dateOf } from '../local-clock.ts';

/** Display names of sources. */
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  osm: 'OpenStreetMap',
  overture: 'Overture Maps',
  geojson: 'Imported list',
  demo: 'Demonstration data (fictional)',
  submission: 'Submitted by an agent',
};

export function sourceName(source: string): string {
  return ownValue(SOURCE_NAMES, source) ?? sentenceCase(source);
}

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
  const listing = sourceName(source);
  const details = definitionList('details', [
    ['Listing', html`${listing}${reference(source, source_ref)}`],
    [
      'Submitted by',
      submitted_by && html`${userText(submitted_by.agent_name)} for ${userText(submitted_by.operator_name)}`,
    ],
    ['From the map of', observed_at === null ? 'Not known' : dateOf(observed_at, timezone)],
    ['Last changed here', dateOf(updated_at, timezone)],
    [
      'Last verified by a person or a source',
      verified_at === null ? 'Not yet' : dateOf(verified_at, timezone),
    ],
    ['Place ID', html`<code>${id}</code>`],
  ]);
  return html`<details class="sources">
    <summary><h2>Sources</h2></summary>
    ${details}
  </details>`;
}

function reference(source: string, ref: string): Html | false {
  // Demonstration data has no source to look up.
  if (source === 'demo') return false;
  const onMap = source === 'osm' && /^(?:node|way|relation)\/\d+$/.test(ref);
  return onMap
    ? html`, <a class="tall" href="https://www.openstreetmap.org/${ref}" rel="noopener">${ref}</a>`
    : html`, <bdi>${ref}</bdi>`;
}
