import { z } from 'zod';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import { emailAddress, webAddress } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import type { ContactField } from '../../../../directory/provenance/field.ts';
import { textInput } from '../../form/fields.ts';
import { partPage } from './listing-part.ts';

const CONTACT_MAX = 2_000;
const HINTS = {
  phone: 'With its country code, such as +62 361 123 456.',
  email: 'Where guests may write to you.',
  website: 'An address that begins with https://.',
} as const satisfies Record<ContactField, string>;

/** Contacts by which guests and this service reach the venue. */
export const venueContactsPage = partPage({
  part: 'contacts',
  title: 'Contacts',
  lead: 'Shown to travellers and agents. We call you at this number; table requests are sent to the contact that you signed in with.',
  fields: {
    phone: {
      ...textInput(
        z
          .string()
          .overwrite((phone) => plainPhone(phone.trim()))
          .refine((phone) => phone === '' || E164.test(phone)),
        { label: 'Telephone', type: 'tel', maxlength: CONTACT_MAX },
      ),
      error: 'Write it with its country code, such as +62361123456.',
    },
    email: {
      ...textInput(z.string().trim().pipe(z.literal('').or(emailAddress())), {
        label: 'Mail',
        type: 'email',
        maxlength: CONTACT_MAX,
      }),
      error: 'It must be an email address.',
    },
    website: {
      ...textInput(webAddress(), { label: 'Website', type: 'url', maxlength: CONTACT_MAX }),
      error: 'It must begin with https:// or http://.',
    },
  },
  button: 'Save contacts',
  content: ({ person: { place } }) => ({
    values: place,
    fields: {
      phone: { hint: hintFor(place, 'phone') },
      email: { hint: hintFor(place, 'email') },
      website: { hint: hintFor(place, 'website') },
    },
  }),
  read: (_act, { phone, email, website }) => ({
    phone: phone || null,
    email: email || null,
    website: website || null,
  }),
});

function hintFor(place: Place, name: ContactField): string {
  const submitted = place[name] !== null && displayedOrigin(place, name) === 'agent';
  return `${HINTS[name]} Leave it empty to show none.${submitted ? ' The current value was submitted by an agent.' : ''}`;
}
