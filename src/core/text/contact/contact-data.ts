import { AppError, type FieldError } from '../../errors.ts';
import { holdsNumber } from './hidden-number.ts';
import { plainForm } from './plain-form.ts';
import { holdsMailbox, holdsWebAddress } from './web-address.ts';

/** Returns the kind of contact or card data in a text; undefined when there is none. */
export function findContact(text: string): string | undefined {
  const plain = plainForm(text);
  if (holdsMailbox(plain)) return 'an email address or a handle';
  if (holdsNumber(text)) return 'a phone or card number';
  return holdsWebAddress(plain) ? 'a web address' : undefined;
}

/**
 * Checks every text that a caller may write for a venue. The service never contacts a guest, so it refuses data with
 * which it could.
 */
export function refuseContacts(fields: Readonly<Record<string, unknown>>): void {
  const errors = Object.entries(fields).flatMap(([name, text]): FieldError[] => {
    const kind = typeof text === 'string' ? findContact(text) : undefined;
    return kind === undefined
      ? []
      : [{ pointer: `/${name}`, code: 'bad_format', detail: `must not contain ${kind}` }];
  });
  if (errors.length === 0) return;
  throw new AppError('contact_data_refused', 'Contact data is not accepted. Nothing was stored or sent.', {
    errors,
    hint: 'The venue receives only a name: leave out addresses, numbers, links and handles.',
  });
}
