import type { FastifyReply } from 'fastify';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import { html } from '../../../../core/text/html.ts';
import { emailAddress, webAddress } from '../../../../core/text/text.ts';
import { CONTACT_FIELDS, type ContactField } from '../../../../directory/provenance/field.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import type { ListingParts } from '../../../../venue/edit-listing.ts';
import { textField } from '../../form/form-field.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { sendPartPage, type PartPage } from './listing-part.ts';

/** Contacts by which guests and this service reach the venue. */
export const contactsPart: PartPage<'contacts'> = {
  part: 'contacts',
  page: sendContactsPage,
  read: readContacts,
};

const FIELDS = {
  phone: { label: 'Telephone', type: 'tel', hint: 'With its country code, such as +62 361 123 456.' },
  email: { label: 'Mail', type: 'email', hint: 'Where guests may write to you.' },
  website: { label: 'Website', type: 'url', hint: 'An address that begins with https://.' },
} as const;

const CONTACT_MAX = 2_000;

function sendContactsPage(
  request: PageRequest<Venue>,
  { form, faults = {} }: PageState,
): Promise<FastifyReply> {
  const { place } = request.person;
  return sendPartPage(request, {
    title: 'Contacts',
    lead: 'Shown to travellers and agents. We call you at this number; table requests are sent to the contact that you signed in with.',
    part: 'contacts',
    fields: html`${CONTACT_FIELDS.map((name) => {
      const { hint, ...field } = FIELDS[name];
      const submitted = place[name] !== null && displayedOrigin(place, name) === 'agent';
      return textField({
        ...field,
        name,
        hint: `${hint} Leave it empty to show none.${submitted ? ' The current value was submitted by an agent.' : ''}`,
        maxlength: CONTACT_MAX,
        value: form === undefined ? (place[name] ?? '') : contactIn(form, name),
        fault: faults[name],
      });
    })}`,
    save: 'Save contacts',
  });
}

function contactIn(form: URLSearchParams, name: ContactField): string {
  return (form.get(name) ?? '').trim();
}

function readContacts({ form }: PrepareContext<Venue>): ListingParts['contacts'] {
  const [phone, email, website] = [
    plainPhone(contactIn(form, 'phone')),
    contactIn(form, 'email').toLowerCase(),
    contactIn(form, 'website'),
  ];
  const faults = {
    ...(phone !== '' &&
      !E164.test(phone) && { phone: 'Write it with its country code, such as +62361123456.' }),
    ...(email !== '' &&
      !emailAddress().safeParse(email).success && { email: 'It must be an email address.' }),
    ...(!webAddress().safeParse(website).success && { website: 'It must begin with https:// or http://.' }),
  };
  if (Object.keys(faults).length > 0) refuse({ faults });
  return { phone: phone || null, email: email || null, website: website || null };
}
