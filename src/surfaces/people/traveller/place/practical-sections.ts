import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { countryName } from '../../../../directory/country/country.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { softText, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { outsideLink, titledSection } from '../../frame/sections.ts';
import { dateOf } from '../local-clock.ts';
import type { Point } from '../../../../core/geo.ts';
import { HEIGHT, WIDTH } from '../map/ground.ts';
import { pointMap, showsStreets } from '../map/street-figure.ts';
import { locationParts, type PlaceModel } from './place-head.ts';

/** Explains how to book at this venue. */
export function bookingSection(place: Place): Html {
  return titledSection('booking', 'How to book', bookingMethod(place), 'booking card');
}

function bookingMethod(place: Place): Html {
  switch (place.booking_method) {
    case 'request':
      return html`<p>A concierge can ask this venue for a table on your behalf.</p>
        <p class="soft">A request is not a booking until the venue accepts.</p>
        ${callLine(place)}`;
    case 'venue_system':
      return venueSystem(place);
    case 'phone':
      return phone(place);
    case 'not_through':
      return html`<p>This venue asked not to be sent bookings through us.</p>
        <p class="soft">Please arrange your visit with the venue itself.</p>
        ${callLine(place)}`;
  }
}

function venueSystem(place: Place): Html {
  const href = safeHref(place.booking_url ?? '');
  // An unsafe link falls back to the telephone, here as in every API answer.
  if (href === null || !URL.canParse(href)) return phone(place);
  return html`<p><a class="button" href="${href}" rel="nofollow noopener">Book on the venue’s page</a></p>
    <p class="soft">
      This leads to ${userText(new URL(href).hostname)}. Nothing is booked until you finish there.
      ${place.chosen_by_venue ? 'The venue chose this page.' : 'The page was found in public sources; the venue has not confirmed it.'}
    </p>`;
}

function phone(place: Place): Html {
  const { phone: number, website } = place;
  if (number !== null)
    return html`<p><a class="button" href="${safeHref(`tel:${number}`)}">Call ${number}</a></p>
      <p class="soft">
        We cannot book at this venue for you; please call it yourself. ${unconfirmed(place)}
      </p>`;
  return html`<p>We know of no way to book: this place publishes no telephone number. Please ask there.</p>
    ${website !== null && html`<p class="soft">Its website may say more.</p>`}`;
}

function callLine(place: Place): Html | false {
  return place.phone !== null && html`<p>Or call ${phoneLink(place.phone)}. ${unconfirmed(place)}</p>`;
}

function phoneLink(number: string): Html {
  return html`<a class="tall" href="${safeHref(`tel:${number}`)}">${number}</a>`;
}

function unconfirmed(place: Place): string | false {
  return (
    displayedOrigin(place, 'phone') === 'agent' &&
    'An agent submitted this number, and the venue has not confirmed it.'
  );
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Renders location and contact details. */
export function whereSection(model: PlaceModel): Html {
  const { place, destination } = model;
  const { address, area, city, country, languages, lat, lng } = place;
  const closed = place.closed_at !== null;
  const site = closed || place.website === null ? null : safeHref(place.website);
  const number = closed ? null : place.phone;
  const details = definitionList('details', [
    ['Address', userText(locationParts([address, area, city, countryName(country)]).join(', '))],
    ['Telephone', number !== null && html`${phoneLink(number)} ${submittedMark(place, 'phone')}`],
    [
      'Website',
      site !== null &&
        html`${outsideLink('tall', site, userText(new URL(site).hostname))} ${submittedMark(place, 'website')}`,
    ],
    ['Languages', languages.length > 0 && languages.map(languageName).join(', ')],
    ['Prices', priceLine(place, destination.timezone)],
  ]);
  const map =
    lat !== null && lng !== null
      ? smallMap(model, { lat, lng })
      : html`<p class="soft">We do not know its exact position: ask the venue, or use its address.</p>`;
  return titledSection('where', 'Where it is', [map, details]);
}

/** Marks a contact that only an agent submitted. */
function submittedMark(place: Place, field: 'phone' | 'website'): Html | false {
  return (
    displayedOrigin(place, field) === 'agent' && softText('submitted by an agent, not confirmed by the venue')
  );
}

function priceLine({ price_line }: Place, timezone: string): Html | false {
  if (price_line === null) return false;
  const { text, source_url, read_at } = price_line;
  return html`${userText(text)} ${outsideLink('source', source_url, `read on ${dateOf(read_at, timezone)}`)}`;
}

/** Returns the English name of a language. Map data may contain invalid tags. */
function languageName(tag: string): string {
  try {
    return LANGUAGES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

function smallMap(model: PlaceModel, { lat, lng }: Point): Html {
  const { destination, ground, streets, reader } = model;
  const label = `Where it is in ${destination.name}`;
  const [x, y] = ground.project(lat, lng).map(Math.round) as [number, number];
  const at = `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
  const outside = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const coast = html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
    ${ground.picture}
    <circle class="halo" cx="${x}" cy="${y}" r="22" />
    <circle class="spot" cx="${x}" cy="${y}" r="10" />
    ${ground.scaleBar}
  </svg>`;
  const fallback = !ground.isPlain && coast;
  return html`<figure class="map small-map">
    ${
      showsStreets(streets, { lat, lng })
        ? pointMap({ map: streets, point: { lat, lng }, label, languages: reader.languages, fallback })
        : fallback
    }
    <figcaption>
      <span class="number">${at}</span> ·
      <a class="tall" href="${outside}" rel="noopener">Open in OpenStreetMap</a>
    </figcaption>
  </figure>`;
}
