import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { findDestination } from '../../../directory/find-destination.ts';
import { html, join, type Html } from '../../../core/text/html.ts';
import { cutTyped } from '../../../core/text/visible-text.ts';
import { readQuery } from '../form/form-body.ts';
import { assetUrl } from '../assets.ts';
import { userText } from '../frame/components.ts';
import { textField } from '../form/form-field.ts';
import { sendFrame } from '../frame/frame.ts';
import { findCards, type ListedCard } from '../traveller/destination-query.ts';
import { pointMap, showsStreets } from '../traveller/map/street-figure.ts';
import { locationParts } from '../traveller/place/place-model.ts';
import { areaLanguage, frameLanguage, type AreaLanguage } from './language/area-language.ts';
import { kindText } from './language/kind-text.ts';

const TEXT_MAX = 80;
const PLACES_MAX = 8;

/** A venue without a session finds its place here by name and town, and goes on to claim it or to sign in. */
export async function sendSignedOutPage(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = areaLanguage({ deps, request });
  const { area } = language;
  const query = readQuery(request);
  const [name, town] = ['q', 'town'].map((key) => cutTyped(query.get(key)?.trim() ?? '', TEXT_MAX));
  const found = name === '' || name === undefined ? undefined : findByName(deps, name, town ?? '');
  const { map } = deps.streets;
  return sendFrame({ deps, reply }, 'venue', {
    // A page that is only read sets no cookie, so the language is not chosen here.
    language: frameLanguage(language),
    title: area('nav.listing'),
    lead: area('find.lead'),
    scripts: map === undefined ? [] : ['street-map.js'],
    body: html`<div class="columns">
        <form class="card flow find-place" role="search" method="get" action="/venue">
          <h2>${area('find.title')}</h2>
          ${textField({ name: 'q', label: area('find.name'), value: name ?? '', type: 'search', maxlength: TEXT_MAX, required: true })}
          ${textField({ name: 'town', label: area('find.town'), value: town ?? '', maxlength: TEXT_MAX })}
          <button class="button" type="submit">${area('find.button')}</button>
          <p class="hint">${area('find.means')}</p>
        </form>
        <img
          class="find-picture"
          src="${assetUrl('drawing-restaurant-terrace.svg')}"
          alt=""
          width="320"
          height="200"
        />
      </div>
      ${found !== undefined && results(deps, found, language)}`,
  });
}

interface FoundByName {
  cards: readonly ListedCard[];
  nextCursor: string | null;
}

/** Finds places by the same search as everywhere else. A town that is no destination is a word of the search. */
function findByName(deps: Deps, name: string, town: string): FoundByName {
  const destination = town === '' ? undefined : findDestination(deps.destinations.current, town);
  const text = destination === undefined ? `${name} ${town}`.trim() : name;
  return findCards(deps, { text, destination, limit: PLACES_MAX }, deps.clock.now());
}

function results(deps: Deps, { cards, nextCursor }: FoundByName, language: AreaLanguage): Html {
  const { area } = language;
  const { contactEmail } = deps.config;
  return html`<section class="flow" aria-labelledby="found">
    <div role="status"><h2 id="found">${area('find.found', { count: cards.length })}</h2></div>
    ${
      cards.length === 0
        ? html`<p class="empty">${area('find.none')}</p>`
        : html`<ul class="columns">
            ${cards.map((place) => placeCard(deps, place, language))}
          </ul>`
    }
    ${nextCursor !== null && html`<p class="soft">${area('find.more')}</p>`}
    <p class="hint">${area('find.notListed')} <a href="mailto:${contactEmail}">${contactEmail}</a></p>
  </section>`;
}

function placeCard({ destinations, streets }: Deps, place: ListedCard, language: AreaLanguage): Html {
  const { area } = language;
  const { place_id, name, address, city, destination, lat, lng } = place;
  const town = destinations.current.destinations.find(({ slug }) => slug === destination);
  const point = lat === null || lng === null ? undefined : { lat, lng };
  return html`<li class="card flow">
    <h3><a href="/p/${place_id}">${userText(name)}</a></h3>
    <p class="soft">
      ${join([kindText(place, language), place.price_range].filter((fact) => fact !== null).map(userText), ' · ')}
    </p>
    <p>
      ${userText(locationParts([address, place.area, city, town?.name ?? null, town?.country_name ?? null]).join(', '))}
    </p>
    ${
      point !== undefined &&
      showsStreets(streets.map, point) &&
      pointMap({ map: streets.map, point, still: true, label: name })
    }
    <p>
      <a class="button" href="/venue/claim/${place_id}"
        >${area(place.badge === 'claimed' ? 'find.signIn' : 'find.claim')}<span class="unseen"
          >: ${name}</span
        ></a
      >
    </p>
  </li>`;
}
