import type { FastifyReply } from 'fastify';
import { html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import { areaField } from '../../form/form-field.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { sendPartPage, type PartPage } from './listing-part.ts';

const ABOUT_MAX = 2_000;
const SHOWN_MAX = ABOUT_MAX.toLocaleString('en');

export const aboutPart: PartPage<'about'> = { part: 'about', page: sendAboutPage, read: readAbout };

function sendAboutPage(request: PageRequest<Venue>, { form, faults = {} }: PageState): Promise<FastifyReply> {
  return sendPartPage(request, {
    title: 'Description',
    lead: 'What a guest finds at your place, in your own words. It is shown on your page and to agents.',
    part: 'about',
    fields: html`${areaField({
      name: 'about',
      label: 'Description',
      hint: `Plain text, at most ${SHOWN_MAX} characters. Awards and ratings are shown apart, with their source. Leave it empty to show none.`,
      rows: 8,
      maxlength: ABOUT_MAX,
      value: form === undefined ? (request.person.place.about ?? '') : aboutIn(form),
      fault: faults['about'],
    })}`,
    save: 'Save description',
  });
}

function aboutIn(form: URLSearchParams): string {
  return (form.get('about') ?? '').replaceAll('\r\n', '\n');
}

function readAbout({ form }: PrepareContext<Venue>): string | null {
  const read = text(0, ABOUT_MAX).safeParse(aboutIn(form));
  if (!read.success) refuse({ faults: { about: `Write plain text of at most ${SHOWN_MAX} characters.` } });
  return read.data === '' ? null : read.data;
}
