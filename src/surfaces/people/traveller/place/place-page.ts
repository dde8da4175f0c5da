import { cutTyped } from '../../../../core/text/visible-text.ts';
import { html } from '../../../../core/text/html.ts';
import { openStatusOf } from '../../../../directory/hours/place-open.ts';
import { page } from '../../frame/layout.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { hoursSection } from './hours-section.ts';
import { pictureBand } from '../place-picture.ts';
import { factsSection } from './facts-section.ts';
import { linkedPlace } from './linked-place.ts';
import { locationParts, nameForReader, placeHead, type PlaceModel } from './place-head.ts';
import { bookingSection, whereSection } from './practical-sections.ts';
import {
  aboutSection,
  accoladesSection,
  claimInvitation,
  closureNotice,
  memberPhotos,
  menuSection,
  promotionsSection,
} from './reading-sections.ts';
import { factSources, sourcesSection } from './sources-section.ts';

const DESCRIPTION_MAX = 200;

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
    scripts: model.streets === undefined ? [] : ['street-map.js'],
    linkedData: linkedPlace(model),
    body: html`<div class="wrap">
      <div class="place-top">${pictureBand(place, site.serviceName)} ${placeHead(model)}</div>

      ${closureNotice(place, destination.timezone)}
      <div class="place-body">
        <div class="practical">
          ${
            !closed &&
            html`<p class="open-line">
              ${status.state === 'open' && html`<span class="lamp"></span>`}${status.text}
            </p>`
          }
          ${!closed && bookingSection(place)} ${!closed && hoursSection(place, destination, now)}
          ${whereSection(model)}
        </div>
        <div class="reading">
          ${hasPhotos && memberPhotos(place, site.serviceName)} ${aboutSection(place)}
          ${!closed && promotionsSection(place, destination, now)}
          ${factsSection(place.facts, factSources(place))} ${accoladesSection(place)}
          ${menuSection(place, destination)} ${!hasPhotos && memberPhotos(place, site.serviceName)}
          ${sourcesSection(place, destination.timezone)} ${!closed && claimInvitation(place)}
        </div>
      </div>
    </div>`,
  });
}

/** Returns the description for search engines and messengers. */
function describe({ place, destination }: PlaceModel, status: string): string {
  const where = locationParts([place.area, destination.name, destination.country_name]);
  const open = place.closed_at === null ? '' : ` ${status}`;
  const text = `${sentenceCase(place.category)} in ${where.join(', ')}.${open}${place.about === null ? '' : ` ${place.about}`}`;
  return text.length > DESCRIPTION_MAX ? `${cutTyped(text, DESCRIPTION_MAX).trimEnd()}…` : text;
}
