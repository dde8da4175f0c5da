import { cutAtWord } from '../../../../core/text/limits.ts';
import { html, join, type Html } from '../../../../core/text/html.ts';
import { structuredWeek } from '../../../../directory/hours/weekly-hours.ts';
import { publishedNote } from '../../../../directory/place/shown-phones.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { ListingPart } from '../../../../venue/edit-listing.ts';
import type { PinMove } from '../../../../venue/move-pin.ts';
import { badge, userText } from '../../frame/components.ts';
import { DAY_NAMES } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { locationParts } from '../../traveller/place/place-model.ts';
import { isBookedByPhone } from '../../traveller/place-list.ts';
import { placeThumbnail, type Thumbnails } from '../../traveller/place-picture.ts';
import { areaLanguage, type AreaKey, type AreaLanguage } from '../language/area-language.ts';
import { kindText } from '../language/kind-text.ts';
import { openSentence } from './open-sentence.ts';

/** A part of the listing: what the venue has set, or null. */
type PartLine = readonly [part: ListingPart, value: Html | string | null];

const ABOUT_MAX = 140;

/** The parts in the order in which guests miss them. */
function partLines(
  { place, destination }: Venue,
  { move, now }: { move: PinMove | undefined; now: Date },
  language: AreaLanguage,
): readonly PartLine[] {
  const { area } = language;
  const entries = place.menu?.sections.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  return [
    ['hours', hoursToday(place, destination.timezone, now, language)],
    ['photo', place.listing_photo === null ? null : area('have.photo')],
    ['menu', entries === 0 ? null : area('have.menu', { entries })],
    ['about', place.about === null ? null : userText(cutAtWord(place.about, ABOUT_MAX))],
    ['contacts', contactLine(place)],
    ['position', positionWords(place, move, language)],
    ['booking', place.chosen_by_venue ? area(`booking.${place.booking_method}`) : null],
  ];
}

/** States the ordinary hours of this weekday, or the text of hours that have no ordinary week. */
function hoursToday(
  { hours }: Place,
  timeZone: string,
  now: Date,
  { area }: AreaLanguage,
): Html | string | null {
  if (hours === null) return null;
  const week = hours.compiled === null ? null : structuredWeek(hours.compiled);
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone }).format(now).toLowerCase();
  const day = DAY_NAMES.find(([name]) => name === weekday)?.[0];
  if (week === null || day === undefined) return userText(hours.text);
  const spans = week[day].map(([start, end]) => `${start}–${end}`).join(', ');
  return spans === '' ? area('today.isClosed') : area('have.hours', { hours: spans });
}

function contactLine({ phone, email, website, facts: { phone_as_published: written } }: Place): Html | null {
  const published = written === undefined ? null : `${written} (${publishedNote(written)})`;
  const contacts = [phone, published, email, website].filter((contact) => contact !== null);
  return contacts.length === 0 ? null : userText(contacts.join(', '));
}

function positionWords(
  { lat, address, city }: Place,
  move: PinMove | undefined,
  { area }: AreaLanguage,
): Html | null {
  if (lat === null) return null;
  const at = locationParts([address, city]).join(', ');
  return html`${at === '' ? area('have.position') : userText(at)}
  ${move?.state === 'waiting' && area('position.waiting')}
  ${move?.state === 'rejected' && area('position.rejected')}`;
}

/** Returns the parts that the venue has not set. */
export function missingParts(
  { person, now }: Pick<PageRequest<Venue>, 'person' | 'now'>,
  language: AreaLanguage,
): ListingPart[] {
  const lines = partLines(person, { move: undefined, now }, language);
  return lines.filter(([, value]) => value === null).map(([part]) => part);
}

interface Summary {
  move: PinMove | undefined;
  thumbnails: Thumbnails;
}

/** Lists the parts of the listing, those that lack first, next to the listing as guests see it. */
export function listingSummary(req: PageRequest<Venue>, { move, thumbnails }: Summary): Html {
  const language = areaLanguage(req);
  const { area } = language;
  const lines = partLines(req.person, { move, now: req.now }, language);
  const set = lines.filter(([, value]) => value !== null);
  const lacking = lines.filter(([, value]) => value === null);
  return html`<div class="columns">
    <section class="flow" aria-labelledby="parts">
      <h2 id="parts">${area('parts.title')}</h2>
      <p>
        ${lacking.length === 0 ? area('parts.complete') : area('parts.set', { set: set.length, all: lines.length })}
      </p>
      <ul class="parts">
        ${[...lacking, ...set].map((line) => partEntry(line, language))}
        <li>
          <a href="/venue/rules">${area('part.rules')}</a>
          <span class="soft">${area('part.rulesMeans')}</span>
        </li>
        <li>
          <a href="/venue/terms">${area('part.terms')}</a>
          <span class="soft">${area('part.termsMeans')}</span>
        </li>
      </ul>
    </section>
    <section class="flow" aria-labelledby="preview">
      <h2 id="preview">${area('preview.title')}</h2>
      ${preview(req, thumbnails, language)}
      <p>
        <a href="/p/${req.person.place.id}">${area('home.see')}</a>
        ${language.code !== 'en' && html`<span class="soft">${area('preview.note')}</span>`}
      </p>
    </section>
  </div>`;
}

function partEntry([part, value]: PartLine, { area }: AreaLanguage): Html {
  const lack: AreaKey = `lack.${part}`;
  return html`<li>
    <a href="/venue/${part}">${area(`part.${part}`)}</a>
    ${value === null && badge('warn', area('parts.missing'))}
    <span class="soft">${value ?? area(lack)}</span>
  </li>`;
}

/** The listing as guests see it in a list, in the venue's language. */
function preview({ person, now }: PageRequest<Venue>, thumbnails: Thumbnails, language: AreaLanguage): Html {
  const { place, destination } = person;
  const { about, address, area: quarter, city, price_range: price } = place;
  const facts = [kindText(place, language), price, quarter].filter((fact) => fact !== null && fact !== '');
  const booking = bookingText(place, language);
  return html`<div class="card as-shown">
    ${placeThumbnail({ ...place, place_id: place.id }, thumbnails)}
    <div class="flow">
      <p class="name">${userText(place.name)}</p>
      <p class="soft">${join(facts.map(userText), ' · ')}</p>
      <p>${openSentence(place, destination.timezone, now, language)}</p>
      <p class="soft">${userText(locationParts([address, quarter, city]).join(', '))}</p>
      ${about !== null && html`<p>${userText(cutAtWord(about, ABOUT_MAX))}</p>`}
      ${booking !== undefined && html`<p class="soft">${booking}</p>`}
    </div>
  </div>`;
}

function bookingText(
  { booking_method: method, phone, vertical }: Place,
  { area }: AreaLanguage,
): string | undefined {
  if (method === 'request') return area('book.request');
  if (method === 'venue_system') return area('book.page');
  return isBookedByPhone({ method, vertical, hasPhone: phone !== null }) ? area('book.phone') : undefined;
}
