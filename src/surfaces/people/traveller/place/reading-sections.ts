import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import { memberAttribution } from '../../../../directory/place/place-photos.ts';
import { runningPromotions, type MenuSection, type Place } from '../../../../directory/place/place.ts';
import { badge, userText } from '../../frame/components.ts';
import { outsideLink, titledSection } from '../../frame/sections.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { dateOf } from '../local-clock.ts';

type Evidence = Place['evidence'][number];

const EVIDENCE_WORDS: Readonly<Record<Evidence['kind'], string>> = {
  website_dead: "The venue's own website is gone",
  published_report: 'A published report states that it has closed',
  venue_said: 'The venue itself said that it has closed',
};

/** Warns that a place has closed or may have, with the evidence. False for a place without evidence. */
export function closureNotice({ closed_at, evidence }: Place, timezone: string): Html | false {
  const closed = closed_at !== null;
  if (!closed && evidence.length === 0) return false;
  return titledSection(
    'closure',
    closed ? 'This place appears to have closed' : 'This place may have closed',
    html`<ul>
        ${evidence.map((sign) => evidenceItem(sign, timezone))}
      </ul>
      <p>
        ${
          closed
            ? 'Do not go there. Below is what we knew before. It cannot be booked, and searches do not show it.'
            : 'Nothing is certain yet. Ask the place before you go there.'
        }
      </p>`,
    `notice ${closed ? 'bad' : 'warn'}`,
  );
}

function evidenceItem({ kind, source_url, note, observed_at }: Evidence, timezone: string): Html {
  // A dead website has nothing to read.
  const readable = source_url !== null && kind !== 'website_dead';
  return html`<li>
    ${EVIDENCE_WORDS[kind]} (${dateOf(observed_at, timezone)}).
    ${note !== '' && html`<bdi class="soft">${note}</bdi>`}
    ${readable && outsideLink('source', source_url, 'Read the source')}
  </li>`;
}

/** Renders photos by travellers that are not the picture of the page, each with its photographer, and a link to add one. */
export function memberPhotos(place: Place, serviceName: string): Html | false {
  const { id, name, closed_at } = place;
  const photos = otherPhotos(place);
  if (closed_at !== null && photos.length === 0) return false;
  const figures = photos.map(
    (photo) =>
      html`<li>
        <figure>
          <a href="${safeHref(`/photos/${photo.photo_id}/w1080`)}"
            ><img
              src="${safeHref(`/photos/${photo.photo_id}/w480`)}"
              alt="${photo.caption === '' ? `Photo of ${name}` : photo.caption}"
              loading="lazy"
              width="480"
              height="360"
          /></a>
          <figcaption dir="auto">${memberAttribution(photo, serviceName)}</figcaption>
        </figure>
      </li>`,
  );
  const upload = safeHref(`/photos/mine/upload?place=${id}`);
  return titledSection(
    'photos',
    'Photos by travellers',
    html`${
      photos.length > 0 &&
      html`<ul class="member-photos">
        ${figures}
      </ul>`
    }
    ${
      closed_at === null &&
      html`<p>
        ${place.member_photos.length === 0 && 'There are none yet. '}<a
          class="tall"
          href="${upload}"
          rel="nofollow"
          >Add your photos of this place</a
        >
      </p>`
    }`,
  );
}

/** The picture of the page is the venue's own photo, or else the first one of a traveller. */
export function otherPhotos({ listing_photo, member_photos }: Place): Place['member_photos'] {
  return listing_photo === null ? member_photos.slice(1) : member_photos;
}

export function aboutSection({ about }: Place): Html | false {
  return about !== null && titledSection('about', 'About', html`<p class="prose" dir="auto">${about}</p>`);
}

export function promotionsSection(place: Place, { timezone }: Destination, now: Date): Html | false {
  const running = runningPromotions(place, now).map(
    ({ title, kind, detail, terms, discount_pct, ends_at }) =>
      html`<li>
        <h3>${userText(title)} ${badge('', sentenceCase(kind))}</h3>
        ${discount_pct !== null && html`<p>${discount_pct} % off</p>`}
        ${[detail, terms].map((text) => text !== null && html`<p dir="auto">${text}</p>`)}
        ${ends_at !== null && html`<p class="soft">Until ${dateOf(ends_at, timezone)}.</p>`}
      </li>`,
  );
  if (running.length === 0) return false;
  return titledSection(
    'promotions',
    'Offers and events',
    html`<ul class="promotions">
      ${running}
    </ul>`,
  );
}

export function accoladesSection({ accolades }: Place): Html | false {
  if (accolades.length === 0) return false;
  const items = accolades.map(
    ({ title, year, source_name, source_url }) =>
      html`<li>
        <strong>${userText(title)}</strong>${year !== null && ` ${year}`}
        ${outsideLink('source', source_url, userText(source_name))}
      </li>`,
  );
  return titledSection(
    'accolades',
    'Accolades',
    html`<ul class="accolades">
      ${items}
    </ul>`,
  );
}

/** Renders the menu in the venue's own order, with prices as the venue wrote them. */
export function menuSection({ menu }: Place, { timezone }: Destination): Html | false {
  const sections = menu?.sections.filter(({ items }) => items.length > 0) ?? [];
  if (menu === null || sections.length === 0) return false;
  return titledSection(
    'menu',
    'Menu',
    html`<p class="soft">
        Prices in ${menu.currency}, as the venue wrote them. Last changed
        ${dateOf(menu.updated_at, timezone)}.
      </p>
      <div class="menu">${sections.map(course)}</div>`,
  );
}

function course({ name, items }: MenuSection): Html {
  const dishes = items.map(
    ({ name: dish, description, price, notes }) =>
      html`<li>
        <p class="dish">
          ${userText(dish)}${price != null && price !== '' && html`<bdi class="number">${price}</bdi>`}
        </p>
        ${[description, notes].map(
          (text) => text != null && text !== '' && html`<p class="soft" dir="auto">${text}</p>`,
        )}
      </li>`,
  );
  return html`<section class="course">
    <h3>${userText(name)}</h3>
    <ul>
      ${dishes}
    </ul>
  </section>`;
}

export function claimInvitation({ id, badge: standing }: Place): Html {
  const words =
    standing === 'claimed'
      ? 'You can change its hours, menu, description, booking and photo yourself.'
      : 'Claim it with a code that we send to its published contact, and manage it yourself.';
  return titledSection(
    'claim',
    'Is this your place?',
    html`<p>
      ${words} <a class="tall" href="/venue/claim/${id}" rel="nofollow">Look after this listing</a>
    </p>`,
  );
}
