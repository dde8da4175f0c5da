import { z } from 'zod';
import { findContact } from '../../../core/text/contact/contact-data.ts';
import type { Db } from '../../../core/postgres/db.ts';
import type { Html } from '../../../core/text/html.ts';
import { line } from '../../../core/text/text.ts';
import { DISPLAY_NAME_MAX, setDisplayName } from '../../../members/member.ts';
import { textField } from '../form/form-field.ts';
import { readFields } from '../form/read-fields.ts';

const schema = z.object({ display_name: line(1, DISPLAY_NAME_MAX) });

export function nameField(field: {
  value?: string | undefined;
  fault?: string | undefined;
  autofocus?: boolean;
}): Html {
  return textField({
    name: 'display_name',
    label: 'Name',
    hint: 'As a venue should write it in its reservation book, such as Ana P. No telephone number and no address.',
    autocomplete: 'name',
    maxlength: DISPLAY_NAME_MAX,
    required: true,
    ...field,
  });
}

export type SavedName = { ok: true; value: string } | { ok: false; value: string; fault: string };

/** Saves a member's display name. Venues see it, so it must not contain contact data. */
export async function saveName(db: Db, memberId: string, fields: URLSearchParams): Promise<SavedName> {
  const value = fields.get('display_name') ?? '';
  const read = readFields(fields, schema);
  if (!read.ok) return { ok: false, value, fault: read.faults['display_name'] ?? 'This is not a name.' };
  const name = read.values.display_name;
  const contact = findContact(name);
  if (contact !== undefined)
    return { ok: false, value, fault: `This contains ${contact}. Venues receive only a name.` };
  await setDisplayName(db, memberId, name);
  return { ok: true, value: name };
}
