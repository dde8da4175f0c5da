import { html, safeHref, type Html, type HtmlValue } from '../../../../core/text/html.ts';
import { countryName } from '../../../../directory/country/country.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { HEIGHT, WIDTH } from '../map/ground.ts';
import { dateOf } from './place-dates.ts';
import type { PlaceModel } from './place-model.ts';
import { locationParts } from './whereabouts.ts';

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Renders location and contact details. */
export function placeFacts(model: PlaceModel): Html {
  const { place, destination } = model;
  const closed = place.closed_at !== null;
  const site = closed || place.website === null ? null : safeHref(place.website);
  const rows: [string, HtmlValue][] = [
    ['Address', address(place)],
    [
      'Telephone',
      !closed &&
        place.phone !== null &&
        html`<a class="tall" href="${safeHref(`tel:${place.phone}`)}">${place.phone}</a>
          ${submittedMark(place, 'phone')}`,
    ],
    [
      'Website',
      site !== null &&
        html`<a class="tall" href="${site}" rel="nofollow noopener"><bdi>${new URL(site).hostname}</bdi></a>
          ${submittedMark(place, 'website')}`,
    ],
    ['Languages', place.languages.length > 0 && place.languages.map(languageName).join(', ')],
    ['Prices', priceLine(place, destination.timezone)],
  ];
  return html`<section aria-labelledby="where-title">
    <h2 id="where-title">Where it is</h2>
    ${
      place.lat !== null && place.lng !== null
        ? map(model, { lat: place.lat, lng: place.lng })
        : html`<p class="soft">We do not know its exact position: ask the venue, or use its address.</p>`
    }
    ${definitionList('details', rows)}
  </section>`;
}

/** Marks a contact that only an agent submitted. */
function submittedMark(place: Place, field: 'phone' | 'website'): Html | false {
  return (
    displayedOrigin(place, field) === 'agent' &&
    html`<span class="soft">submitted by an agent, not confirmed by the venue</span>`
  );
}

function address({ address: street, area, city, country }: Place): Html {
  return html`<bdi>${locationParts([street, area, city, countryName(country)]).join(', ')}</bdi>`;
}

function priceLine({ price_line }: Place, timezone: string): Html | false {
  if (price_line === null) return false;
  return html`<bdi>${price_line.text}</bdi>
    <a class="source" href="${safeHref(price_line.source_url)}" rel="nofollow noopener"
      >read on ${dateOf(price_line.read_at, timezone)}</a
    >`;
}

/** Returns the English name of a language. Map data may contain invalid tags. */
function languageName(tag: string): string {
  try {
    return LANGUAGES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

function map({ destination, ground }: PlaceModel, { lat, lng }: { lat: number; lng: number }): Html {
  const [x, y] = ground.project(lat, lng).map(Math.round) as [number, number];
  const at = `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
  const outside = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  return html`<figure class="map small-map">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`Where it is in ${destination.name}`}">
      ${ground.picture}
      <circle class="halo" cx="${x}" cy="${y}" r="22" />
      <circle class="spot" cx="${x}" cy="${y}" r="10" />
      ${ground.scaleBar}
    </svg>
    <figcaption>
      <span class="number">${at}</span> ·
      <a class="tall" href="${outside}" rel="noopener">Open in OpenStreetMap</a>
    </figcaption>
  </figure>`;
}
