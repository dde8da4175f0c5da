import { metresBetween } from '../../../../core/geo.ts';
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
import { openStatusOf } from '../../../../directory/hours/place-open.ts';
import { badge } from '../../frame/components.ts';
import { icon } from '../../frame/icon.ts';
import { dateOf } from '../local-clock.ts';
import { badgeOf, kindLine, needsNoHours, walkWords } from '../place-list.ts';
import type { PageReader } from '../reader.ts';
import { locationParts, type PlaceModel } from './place-model.ts';
import { contactButtons } from './practical-sections.ts';

const OTHER_NAMES_MAX = 4;

/** Returns the name that this reader is shown. */
export function nameForReader({ languages }: PageReader, place: Place): DisplayName {
  return chooseDisplayName({ ...place, names: languageNames(place.names) }, languages);
}

/** Renders names, kind, open state, contacts, and the provenance of the listing. */
export function placeHead(model: PlaceModel): Html {
  const { place, destination, reader, now } = model;
  const title = nameForReader(reader, place);
  const others = otherNames(place, title, reader);
  const status = openStatusOf(place, destination.timezone, now);
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
    ${
      place.closed_at === null &&
      !needsNoHours(place) &&
      html`<p class="open-line">
        ${status.state === 'open' ? html`<span class="lamp"></span>` : icon('clock')} ${status.text}
      </p>`
    }
    ${walkLine(model)} ${contactButtons(model)} ${standing(place, destination)}
  </div>`;
}

/** States how far it is from the point around which the visitor searched. */
function walkLine({ place: { lat, lng }, near }: PlaceModel): Html | false {
  if (near === undefined || lat === null || lng === null) return false;
  const way = walkWords(metresBetween(near, { lat, lng }));
  return html`<p class="walk">${icon('footprints')} ${way} from the point you searched</p>`;
}

/** Renders the badge of the listing with its meaning in plain words. */
function standing(place: Place, destination: Destination): Html {
  return html`<details class="standing">
    <summary>
      ${place.source === 'demo' && html`${badge('warn', 'Demonstration: a fictional venue')} `}${badgeOf(place.badge)}
      <span class="soft">${listingStatus(place)} ${mapDate(place, destination)}</span>
    </summary>
    <dl class="soft">
      <dt>Mapped</dt>
      <dd>From a public map or list. Nobody from the venue has taken over this page.</dd>
      <dt>Claimed</dt>
      <dd>The venue proved with a code that this page is its own, and looks after it.</dd>
      <dt>Verified</dt>
      <dd>A person or the venue’s own website confirmed it within the last year.</dd>
    </dl>
  </details>`;
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

/** Returns further names: the one on the sign, its Latin spelling if the reader cannot read it, and those they read. */
function otherNames(
  place: Place,
  { name, local, isRequestedLanguage }: DisplayName,
  { languages }: PageReader,
): OtherName[] {
  const latin = !isRequestedLanguage && readsLatin(languages) ? place.latin_name : null;
  const entries = Object.entries(place.names).map(([key, text]): OtherName => ({
    language: nameTag(key) ?? '',
    text,
  }));
  const onSign = entries.find(({ text }) => text === local)?.language ?? '';
  // Names in languages that the visitor does not read say nothing to them.
  // The page itself is in English.
  const wanted = new Set([...languages, 'en'].map((language) => language.split('-')[0]));
  const read = entries.filter(({ language }) => wanted.has(language.split('-')[0]));
  const all = [{ language: onSign, text: local ?? '' }, { language: '', text: latin ?? '' }, ...read];
  const seen = new Set(['', name]);
  return all.filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, OTHER_NAMES_MAX);
}

function listingStatus({ badge, source }: Place): string {
  if (badge === 'claimed') return 'The venue looks after this page itself.';
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
  return html`<p class="kind rating">
    ${icon('star')} <b class="number">${value.toFixed(1)}</b> of 5, from ${reviews} on the public web
  </p>`;
}
