import { fold } from '../../../../core/text/fold.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import {
  languageNames,
  nameTag,
  readsLatin,
  chooseDisplayName,
  type DisplayName,
} from '../../../../directory/place/place-names.ts';
import { isImportedSource } from '../../../../directory/place/imported-sources.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { badge } from '../../frame/components.ts';
import type { Site } from '../../frame/layout.ts';
import { dateOf } from '../local-clock.ts';
import type { BaseMap } from '../map/ground.ts';
import { badgeOf, kindLine } from '../place-list.ts';
import type { PageReader } from '../reader.ts';

const OTHER_NAMES_MAX = 4;

/** Returns the name that this reader is shown. */
export function nameForReader({ languages }: PageReader, place: Place): DisplayName {
  return chooseDisplayName({ ...place, names: languageNames(place.names) }, languages);
}

/** Returns location names from smallest to largest without duplicates: "Roppongi, Roppongi" becomes "Roppongi". */
export function locationParts(parts: readonly (string | null)[]): string[] {
  const seen = new Set<string>();
  return parts.filter((part): part is string => {
    if (part === null) return false;
    const name = fold(part);
    if (name === '' || seen.has(name)) return false;
    // A street address may already contain its area and its city.
    for (const piece of [part, ...part.split(',')]) seen.add(fold(piece));
    return true;
  });
}

/** Everything that the page of one place shows. */
export interface PlaceModel {
  site: Site;
  now: Date;
  place: Place;
  reader: PageReader;
  destination: Destination;
  ground: BaseMap;
  streets: StreetMap | undefined;
}

/** Renders location, names, and the provenance of the listing. */
export function placeHead({ place, destination, reader }: PlaceModel): Html {
  const title = nameForReader(reader, place);
  const others = otherNames(place, title, reader);
  return html`<div class="place-title">
    ${breadcrumb(place, destination, reader)}
    <h1><bdi>${title.name}</bdi></h1>
    ${
      others.length > 0 &&
      html`<p class="also">
        ${others.map(({ language, text }) => html`<bdi lang="${language}" dir="auto">${text}</bdi> `)}
      </p>`
    }
    <p class="kind">${kindLine(place)}</p>
    ${rating(place)}
    <p class="standing">
      ${place.source === 'demo' && html`${badge('warn', 'Demonstration: a fictional venue')} `}${badgeOf(place.badge)}
      <span class="soft">${listingStatus(place)} ${mapDate(place, destination)}</span>
    </p>
  </div>`;
}

/** Renders links to the areas around the place, the largest first. */
function breadcrumb(place: Place, { slug, name }: Destination, { lang }: PageReader): Html {
  const placeAreas = place.areas.length > 0 ? place.areas : place.area === null ? [] : [place.area];
  const [, ...areas] = locationParts([name, ...placeAreas.toReversed()]);
  const to = (filters: Record<string, string>) => {
    const text = new URLSearchParams({ ...filters, ...(lang === '' ? {} : { lang }) }).toString();
    return `/d/${slug}${text === '' ? '' : `?${text}`}`;
  };
  return html`<nav aria-label="Where it is">
    <p>
      <a href="${to({})}">${name}</a>
      ${areas.map((area) => html`<span aria-hidden="true">›</span> <a href="${to({ area })}"><bdi>${area}</bdi></a> `)}
    </p>
  </nav>`;
}

interface OtherName {
  /** Empty when unknown. */
  language: string;
  text: string;
}

/** Returns further names: the local name first, then its Latin spelling if the reader cannot read it. */
function otherNames(
  place: Place,
  { name, local, isRequestedLanguage }: DisplayName,
  { languages }: PageReader,
): OtherName[] {
  const latin = !isRequestedLanguage && readsLatin(languages) ? place.latin_name : null;
  const entries = Object.entries(place.names)
    .map(([key, text]): OtherName => ({ language: nameTag(key) ?? '', text }))
    // Names without a language come last.
    .sort((a, b) => ((a.language || '~') < (b.language || '~') ? -1 : 1));
  const onSign = entries.find(({ text }) => text === local)?.language ?? '';
  const all = [{ language: onSign, text: local ?? '' }, { language: '', text: latin ?? '' }, ...entries];
  const seen = new Set(['', name]);
  return all.filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, OTHER_NAMES_MAX);
}

function listingStatus({ badge, source }: Place): string {
  if (badge === 'claimed') return 'The venue has claimed this listing and manages it.';
  return source === 'submission'
    ? 'Submitted by an agent and reviewed by a person; the venue has not claimed it.'
    : 'Taken from maps and public sources; the venue has not claimed it.';
}

/** States the date of the map data, where known. */
function mapDate({ source, observed_at }: Place, { timezone }: Destination): Html | false {
  if (observed_at === null || !isImportedSource(source)) return false;
  return html`<span class="map-date">From the map of ${dateOf(observed_at, timezone)}.</span>`;
}

function rating({ rating: value, review_count }: Place): Html | false {
  if (value === null) return false;
  const reviews = formatCount(review_count, 'review');
  return html`<p class="kind">
    <b class="number">${value.toFixed(1)}</b> of 5, from ${reviews} on the public web
  </p>`;
}
