import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { isOfOtherCountry, phoneInGroups } from '../../../../core/text/e164.ts';
import { countryName } from '../../../../directory/country/country.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { OTHER_COUNTRY, publishedNote } from '../../../../directory/place/shown-phones.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { softText, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { icon } from '../../frame/icon.ts';
import { outsideLink, titledSection } from '../../frame/sections.ts';
import { dateOf } from '../local-clock.ts';
import type { Point } from '../../../../core/geo.ts';
import { BOOKED } from '../place-list.ts';
import { BAND, HEIGHT, WIDTH } from '../map/ground.ts';
import { pointMap, showsStreets } from '../map/street-figure.ts';
import { locationParts, type PlaceModel } from './place-model.ts';

/** Kinds of places besides those with tables and beds where people make an appointment. */
const APPOINTED: ReadonlySet<string> = new Set(['tour', 'boat', 'massage', 'salon', 'clinic', 'gym', 'taxi']);

/** Explains in a line or two how to book at a venue that takes no requests here; false where nobody books. */
export function bookingSection(place: Place): Html | false {
  const { booking_method: method, vertical, facts } = place;
  const isStated = method === 'venue_system' || method === 'not_through' || facts.reservation !== undefined;
  if (!isStated && !BOOKED.has(vertical) && !APPOINTED.has(vertical)) return false;
  return titledSection('booking', 'How to book', bookingMethod(place), 'booking card flow');
}

function bookingMethod(place: Place): Html {
  switch (place.booking_method) {
    case 'venue_system':
      return venueSystem(place);
    case 'not_through':
      return html`<p>
          This venue asked not to be sent bookings through us. Please arrange your visit with it.
        </p>
        ${callLine(place)}`;
    default:
      return phone(place);
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
  // The button to call is in the head of the page.
  if (number !== null)
    return html`<p>
        By telephone: <strong class="number nowrap">${phoneInGroups(number)}</strong>. We cannot book here for
        you; please call the venue.
      </p>
      ${unconfirmed(place) !== false && html`<p class="soft">${unconfirmed(place)}</p>`}`;
  const written = writtenPhone(place);
  return html`<p>
      ${
        written === false
          ? 'We know of no way to book: no telephone number of this place is published. Please ask there.'
          : html`We cannot book here for you; please call the venue: ${written}.`
      }
    </p>
    ${website !== null && written === false && html`<p class="soft">Its website may say more.</p>`}`;
}

/** Shows a number that its source does not write as a complete one. It is no link, because it cannot be dialled. */
function writtenPhone({ facts: { phone_as_published: written } }: Place): Html | false {
  return (
    written !== undefined &&
    html`<span class="number">${userText(written)}</span>
      <span class="soft">(${publishedNote(written)})</span>`
  );
}

export function callLine(place: Place): Html | false {
  if (place.phone !== null)
    return html`<p>
      Or call <span class="number">${phoneInGroups(place.phone)}</span>. ${unconfirmed(place)}
    </p>`;
  const written = writtenPhone(place);
  return written && html`<p>Or call ${written}.</p>`;
}

function unconfirmed(place: Place): string | false {
  if (displayedOrigin(place, 'phone') === 'agent')
    return 'An agent submitted this number, and the venue has not confirmed it.';
  return isOfOtherCountry(place.phone, place.country) && `It is ${OTHER_COUNTRY}.`;
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Renders buttons to call, to open the website, and for the way there. */
export function contactButtons({ place }: Pick<PlaceModel, 'place'>): Html | false {
  if (place.closed_at !== null) return false;
  const { phone: number, website, lat, lng } = place;
  const site = website === null ? null : safeHref(website);
  const way = `https://www.openstreetmap.org/directions?to=${lat}%2C${lng}`;
  const buttons = [
    number !== null &&
      html`<a href="${safeHref(`tel:${number}`)}"
        >${icon('phone')} Call<span class="number on-desk"> ${phoneInGroups(number)}</span></a
      >`,
    site !== null && html`<a href="${site}" rel="nofollow noopener">${icon('globe')} Website</a>`,
    lat !== null && html`<a href="${way}" rel="noopener">${icon('navigation')} Directions</a>`,
  ].filter((button) => button !== false);
  return (
    buttons.length > 0 &&
    html`<ul class="contacts">
      ${buttons.map((button) => html`<li>${button}</li>`)}
    </ul>`
  );
}

/** Renders the map of the streets around the place; false where neither streets nor a coast would be on it. */
export function mapSection(model: PlaceModel): Html | false {
  const { lat, lng } = model.place;
  const map = lat === null || lng === null ? false : smallMap(model, { lat, lng });
  return map && html`<section class="where" aria-label="Map">${map}</section>`;
}

/** Renders location and contact details. */
export function whereSection({ place, destination }: PlaceModel): Html {
  const { languages, lat } = place;
  const closed = place.closed_at !== null;
  const site = closed || place.website === null ? null : safeHref(place.website);
  const number = closed ? null : place.phone;
  const details = definitionList('details', [
    ['Address', userText(wholeAddress(place))],
    [
      'Telephone',
      number !== null &&
        html`<span class="number">${phoneInGroups(number)}</span> ${submittedMark(place, 'phone')}
          ${countryMark(place)}`,
    ],
    [number === null ? 'Telephone' : 'Another number', !closed && writtenPhone(place)],
    [
      'Website',
      site !== null &&
        html`${outsideLink('tall', site, userText(new URL(site).hostname))} ${submittedMark(place, 'website')}`,
    ],
    ['Languages', languages.length > 0 && languages.map(languageName).join(', ')],
    ['Prices', priceLine(place, destination.timezone)],
    ['Position', lat === null && 'We do not know its exact position: ask the venue, or use its address.'],
  ]);
  return titledSection('where', 'Where it is', details, 'practical');
}

/** The address as on an envelope, with the postcode in front of the town unless the address has it. */
export function wholeAddress({ address, area, city, country, facts: { postcode } }: Place): string {
  const parts = locationParts([address, area, city, countryName(country)]);
  if (postcode === undefined || parts.some((part) => part.includes(postcode))) return parts.join(', ');
  const town = parts.findLastIndex((part) => part === city);
  if (town < 0) parts.splice(-1, 0, postcode);
  else parts[town] = `${postcode} ${city}`;
  return parts.join(', ');
}

/** Marks a contact that only an agent submitted. */
function submittedMark(place: Place, field: 'phone' | 'website'): Html | false {
  return (
    displayedOrigin(place, field) === 'agent' && softText('submitted by an agent, not confirmed by the venue')
  );
}

function countryMark({ phone, country }: Place): Html | false {
  return isOfOtherCountry(phone, country) && softText(OTHER_COUNTRY);
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

/** Of the picture of a coast, of which HEIGHT is the whole. */
const STRIP_HEIGHT = 7 * BAND;

function smallMap(model: PlaceModel, { lat, lng }: Point): Html | false {
  const { destination, ground, streets, reader } = model;
  const label = `Where it is in ${destination.name}`;
  const [x, y] = ground.project(lat, lng).map(Math.round) as [number, number];
  const at = `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
  const outside = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const hasStreets = showsStreets(streets, { lat, lng });
  // A coast says little about a place: without streets its picture is a strip, or none.
  const height = hasStreets ? HEIGHT : STRIP_HEIGHT;
  const top = Math.min(HEIGHT - height, Math.max(0, Math.round((y - height / 2) / BAND) * BAND));
  if (!hasStreets && (ground.isPlain || ground.isPlainStrip(top, height))) return false;
  const coast =
    !ground.isPlain &&
    html`<svg viewBox="0 ${top} ${WIDTH} ${height}" role="img" aria-label="${label}">
      ${ground.picture}
      <circle class="halo" cx="${x}" cy="${y}" r="22" />
      <circle class="spot" cx="${x}" cy="${y}" r="10" />
      <g transform="translate(0 ${top + height - HEIGHT})">${ground.scaleBar}</g>
    </svg>`;
  return html`<figure class="map small-map">
    ${
      hasStreets
        ? pointMap({ map: streets, point: { lat, lng }, label, languages: reader.languages, fallback: coast })
        : coast
    }
    <figcaption>
      <span class="number">${at}</span> ·
      <a class="tall" href="${outside}" rel="noopener">Open in OpenStreetMap</a>
    </figcaption>
  </figure>`;
}
