import { cutTyped } from '../../../../core/text/visible-text.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import { openStatusOf } from '../../../../directory/hours/place-open.ts';
import { runningPromotions, type Place } from '../../../../directory/place/place.ts';
import { page } from '../../frame/layout.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { bookingSection } from './booking-section.ts';
import { closureNotice } from './closure-notice.ts';
import { hoursSection } from './hours-section.ts';
import { factsSection } from './facts-section.ts';
import { linkedPlace } from './linked-place.ts';
import { menuSection } from './menu-section.ts';
import { listingPhoto, memberPhotos } from './photos-section.ts';
import { dateOf } from './place-dates.ts';
import { placeFacts } from './place-facts.ts';
import { placeHead, nameForReader } from './place-head.ts';
import type { PlaceModel } from './place-model.ts';
import { factSources, sourcesSection } from './sources-section.ts';
import { locationParts } from './whereabouts.ts';

/** Renders the page of one place. */
export function placePage(model: PlaceModel): string {
  const { site, place, destination, now, reader } = model;
  const status = openStatusOf(place, destination.timezone, now);
  const closed = place.closed_at !== null;
  // Without photos the section is only an invitation, which follows the main content.
  const hasPhotos = place.member_photos.length > 0;
  return page({
    site,
    title: locationParts([nameForReader(reader, place).name, destination.name]).join(', '),
    description: describe(model, status.text),
    current: '/',
    canonical: `/p/${place.id}`,
    // Search engines must not list closed or fictional places.
    indexed: !closed && place.source !== 'demo',
    linkedData: linkedPlace(model),
    body: html`<div class="wrap">
      ${placeHead(model)} ${closureNotice(place, destination.timezone)}
      <div class="place-body">
        <div class="practical">
          ${
            !closed &&
            html`<p class="open-line">
              ${status.state === 'open' && html`<span class="lamp"></span>`}${status.text}
            </p>`
          }
          ${!closed && bookingSection(place)} ${!closed && hoursSection(place, destination, now)}
          ${placeFacts(model)}
        </div>
        <div class="reading">
          ${listingPhoto(place)} ${hasPhotos && memberPhotos(place, site.serviceName)}
          ${place.about !== null && about(place.about)} ${!closed && promotions(place, destination, now)}
          ${factsSection(place.facts, factSources(place))} ${accolades(place)}
          ${menuSection(place, destination)} ${!hasPhotos && memberPhotos(place, site.serviceName)}
          ${sourcesSection(place, destination.timezone)} ${!closed && claimInvitation(place)}
        </div>
      </div>
    </div>`,
  });
}

function about(text: string): Html {
  return html`<section aria-labelledby="about-title">
    <h2 id="about-title">About</h2>
    <p class="prose" dir="auto">${text}</p>
  </section>`;
}

function promotions(place: Place, { timezone }: Destination, now: Date): Html | false {
  const running = runningPromotions(place, now);
  if (running.length === 0) return false;
  return html`<section aria-labelledby="promotions-title">
    <h2 id="promotions-title">Offers and events</h2>
    <ul class="promotions">
      ${running.map(
        ({ title, kind, detail, terms, discount_pct, ends_at }) =>
          html`<li>
            <h3><bdi>${title}</bdi> <span class="badge">${sentenceCase(kind)}</span></h3>
            ${discount_pct !== null && html`<p>${discount_pct} % off</p>`}
            ${[detail, terms].map((text) => text !== null && html`<p dir="auto">${text}</p>`)}
            ${ends_at !== null && html`<p class="soft">Until ${dateOf(ends_at, timezone)}.</p>`}
          </li>`,
      )}
    </ul>
  </section>`;
}

function claimInvitation({ id, badge }: Place): Html {
  return html`<section aria-labelledby="claim-title">
    <h2 id="claim-title">Is this your place?</h2>
    <p>
      ${
        badge === 'claimed'
          ? 'You can change its hours, menu, description, booking and photo yourself.'
          : 'Claim it with a code that we send to its published contact, and manage it yourself.'
      }
      <a class="tall" href="/venue/claim/${id}" rel="nofollow">Look after this listing</a>
    </p>
  </section>`;
}

function accolades({ accolades: list }: Place): Html | false {
  if (list.length === 0) return false;
  return html`<section aria-labelledby="accolades-title">
    <h2 id="accolades-title">Accolades</h2>
    <ul class="accolades">
      ${list.map(
        ({ title, year, source_name, source_url }) =>
          html`<li>
            <strong><bdi>${title}</bdi></strong
            >${year !== null && ` ${year}`}
            <a class="source" href="${safeHref(source_url)}" rel="nofollow noopener"
              ><bdi>${source_name}</bdi></a
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Returns the description for search engines and messengers. */
function describe({ place, destination }: PlaceModel, status: string): string {
  const where = locationParts([place.area, destination.name, destination.country_name]);
  const open = place.closed_at === null ? '' : ` ${status}`;
  const text = `${sentenceCase(place.category)} in ${where.join(', ')}.${open}${place.about === null ? '' : ` ${place.about}`}`;
  return text.length > DESCRIPTION_MAX ? `${cutTyped(text, DESCRIPTION_MAX).trimEnd()}…` : text;
}

const DESCRIPTION_MAX = 200;
