import type { FastifyReply } from 'fastify';
import { html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import { editListing } from '../../../../venue/edit-listing.ts';
import { areaField } from '../../form/form-field.ts';
import { sendDone, sendPartPage, type VenueVisit } from '../venue-route.ts';

const ABOUT_MAX = 2_000;

/** The venue's own description. */
export function sendAboutPage(visit: VenueVisit, value?: string, fault?: string): Promise<FastifyReply> {
  return sendPartPage(visit, {
    title: 'Description',
    lead: 'What a guest finds at your place, in your own words. It is shown on your page and told to agents.',
    action: '/venue/about',
    status: fault === undefined ? 200 : 422,
    fields: html`${areaField({
        name: 'about',
        label: 'Description',
        hint: `Plain text, at most ${ABOUT_MAX.toLocaleString('en')} characters. Awards and ratings are shown apart, with their source. Leave it empty to show none.`,
        rows: 8,
        maxlength: ABOUT_MAX,
        value: value ?? visit.place.about ?? '',
        fault,
      })}
      <p class="actions">
        <button class="button" type="submit">Save description</button>
        <a href="/venue">Back without saving</a>
      </p>`,
  });
}

export async function saveAbout(visit: VenueVisit): Promise<FastifyReply> {
  const { deps, form, place } = visit;
  const given = (form.get('about') ?? '').replaceAll('\r\n', '\n');
  const read = text(0, ABOUT_MAX).safeParse(given);
  if (!read.success)
    return sendAboutPage(
      visit,
      given,
      `Write plain text of at most ${ABOUT_MAX.toLocaleString('en')} characters.`,
    );
  await editListing(deps, place.id, 'about', read.data === '' ? null : read.data);
  return sendDone(visit, 'about');
}
