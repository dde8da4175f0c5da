import { z } from 'zod';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import { emailAddress, webAddress } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import type { ContactField } from '../../../../directory/provenance/field.ts';
import { textInput } from '../../form/fields.ts';
import type { AreaText } from '../language/area-language.ts';
import { partPage } from './listing-part.ts';

const CONTACT_MAX = 2_000;

/** Contacts by which guests and this service reach the venue. */
export const venueContactsPage = partPage({
  part: 'contacts',
  fields: {
    phone: textInput(
      z
        .string()
        .overwrite((phone) => plainPhone(phone.trim()))
        .refine((phone) => phone === '' || E164.test(phone)),
      { label: 'Telephone', type: 'tel', maxlength: CONTACT_MAX },
    ),
    email: textInput(z.string().trim().pipe(z.literal('').or(emailAddress())), {
      label: 'Email',
      type: 'email',
      maxlength: CONTACT_MAX,
    }),
    website: textInput(webAddress(), { label: 'Website', type: 'url', maxlength: CONTACT_MAX }),
  },
  faults: ({ area }) => ({
    phone: area('fault.phone'),
    email: area('fault.email'),
    website: area('fault.website'),
  }),
  content: ({ person: { place } }, { area }) => ({
    values: place,
    fields: {
      phone: { label: area('field.phone'), hint: hintFor(place, 'phone', area) },
      email: { label: area('field.email'), hint: hintFor(place, 'email', area) },
      website: { label: area('field.website'), hint: hintFor(place, 'website', area) },
    },
  }),
  read: (_act, { phone, email, website }) => ({
    phone: phone || null,
    email: email || null,
    website: website || null,
  }),
});

function hintFor(place: Place, name: ContactField, area: AreaText): string {
  const submitted = place[name] !== null && displayedOrigin(place, name) === 'agent';
  const hints = [area(`contacts.${name}`), area('contacts.empty'), submitted && area('contacts.byAgent')];
  return hints.filter((hint) => hint !== false).join(' ');
}
