import { cutTyped } from '../../../../core/text/visible-text.ts';
import { html } from '../../../../core/text/html.ts';
import { openStatusOf } from '../../../../directory/hours/place-open.ts';
import { page } from '../../frame/layout.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { hoursSection } from './hours-section.ts';
import { pictureBand } from '../place-picture.ts';
import { factsSection } from './facts-section.ts';
import { linkedPlace } from './linked-place.ts';
import { nameForReader, placeHead } from './place-head.ts';
import { canonicalPath, NAME_LANGUAGES } from '../reader.ts';
import { locationParts, type PlaceModel } from './place-model.ts';
import { alternativesSection } from './alternatives.ts';
import { mapSection, whereSection } from './practical-sections.ts';
import {
  aboutSection,
  accoladesSection,
  claimInvitation,
  closureNotice,
  memberPhotos,
  menuSection,
  otherPhotos,
  promotionsSection,
} from './reading-sections.ts';
import { factSources, sourcesSection } from './sources-section.ts';
import { tableSection } from './table-section.ts';

const DESCRIPTION_MAX = 200;

/** Renders the page of one place. */
export function placePage(model: PlaceModel): string {
  const { site, place, destination, now, reader } = model;
  const status = openStatusOf(place, destination.timezone, now);
  const closed = place.closed_at !== null;
  // Without photos the section is only an invitation, which follows the main content.
  const hasPhotos = otherPhotos(place).length > 0;
  return page({
    site,
    title: locationParts([nameForReader(reader, place).name, destination.name]).join(', '),
    description: describe(model, status.text),
    canonical: canonicalPath(`/p/${place.id}`, reader),
    nameLanguages: NAME_LANGUAGES,
    picture: { path: `/p/${place.id}/share.png`, alt: nameForReader(reader, place).name },
    // Search engines must not list closed or fictional places.
    indexed: !closed && place.source !== 'demo',
    scripts: [
      ...(model.streets === undefined ? [] : ['street-map.js' as const]),
      ...(!closed && place.booking_method === 'request' ? ['table-chips.js' as const] : []),
    ],
    live: model.visit && { since: model.visit.readAt, follow: '/member/tables' },
    linkedData: linkedPlace(model),
    body: html`<div class="wrap place-page">
      ${closureNotice(place, destination.timezone)} ${pictureBand(place, site.serviceName)}
      ${placeHead(model)}
      <div class="place-side">
        ${closed ? alternativesSection(model) : tableSection(model)}
        ${!closed && hoursSection(place, destination, now)} ${whereSection(model)}
      </div>
      <div class="place-main">
        ${mapSection(model)} ${!closed && alternativesSection(model)}
        ${hasPhotos && memberPhotos(place, site.serviceName)} ${aboutSection(place)}
        ${!closed && promotionsSection(place, destination, now)} ${menuSection(place, destination)}
        ${factsSection(place.facts, factSources(place))} ${accoladesSection(place)}
        ${!hasPhotos && memberPhotos(place, site.serviceName)} ${!closed && claimInvitation(place)}
        ${sourcesSection(place, destination.timezone)}
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
