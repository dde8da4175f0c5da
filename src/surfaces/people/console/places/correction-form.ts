import { z } from 'zod';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { ADDRESS_MAX, NAME_MAX } from '../../../../core/text/limits.ts';
import { emailAddress, line, text, webAddress } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { areaField, choiceField, textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';

/** Fields that staff may correct, with their parsers. An empty value removes the staff correction. */
export const CORRECTABLE_FIELDS = {
  name: { label: 'Name', read: line(0, NAME_MAX), fault: 'Write a name of at most 200 characters.' },
  address: {
    label: 'Address',
    read: line(0, ADDRESS_MAX),
    fault: 'Write an address of at most 300 characters.',
  },
  phone: {
    label: 'Telephone',
    read: z
      .string()
      .overwrite(plainPhone)
      .refine((value) => value === '' || E164.test(value)),
    fault: 'Write it with its country code, such as +62361123456.',
  },
  email: {
    label: 'Mail',
    read: z.union([z.literal(''), emailAddress()]),
    fault: 'It must be an email address.',
  },
  website: { label: 'Website', read: webAddress(), fault: 'It must begin with https:// or http://.' },
  about: {
    label: 'Description',
    read: text(0, 2000),
    fault: 'Write plain text of at most 2,000 characters.',
  },
} as const;
type Corrected = keyof typeof CORRECTABLE_FIELDS;

export const correctionFields = z.object({
  field: z.enum(Object.keys(CORRECTABLE_FIELDS) as [Corrected, ...Corrected[]]),
  value: z.string(),
  seen_at: text(4, 500),
});

export function correctionForm(req: PageRequest<Staff>, place: Place, state: PageState): Html {
  const submitted = state.action === 'correct_place' ? state : undefined;
  const field = (name: string) => ({
    name,
    id: `correction-${name}`,
    value: submitted?.form?.get(name) ?? '',
    fault: submitted?.faults?.[name],
  });
  return form(
    req,
    `/console/places/${place.id}/correction`,
    html`<h2>Correct the record</h2>
      <p class="soft">
        A correction takes precedence over maps and agents, but not over the venue itself. A contact that you
        enter here is shown, but never used to contact the venue.
      </p>
      ${choiceField({
        ...field('field'),
        label: 'What is wrong',
        choices: Object.entries(CORRECTABLE_FIELDS).map(([value, { label }]) => [value, label] as const),
      })}
      ${areaField({ ...field('value'), label: 'What it should say', hint: 'Leave empty to remove our correction.', rows: 2, maxlength: 2000 })}
      ${textField({ ...field('seen_at'), label: 'Where you saw it', hint: 'A web address, or the person who informed you.', maxlength: 500, required: true })}
      <button class="button plain" type="submit">Correct it</button>`,
    { className: 'card flow' },
  );
}
