/** The fields by which a place is reached. */
export const CONTACT_FIELDS = ['phone', 'email', 'website'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** What a place says of its contacts, and whose word each of them is. */
export interface ContactsOfPlace extends Record<ContactField, string | null> {
  /**
   * By field: absent for what a map or a provider published, `owner` for the venue itself, `owner:sub_…` for an operator
   * whom the venue lets speak for it, `sub_…` for what any other agent submitted.
   */
  origins: Readonly<Record<string, string>>;
  /** What was published of a field in whose place something else is shown. */
  published: Readonly<Partial<Record<string, string>>>;
}

/** How a field is marked that an operator set whom the venue lets speak for it. */
export function ownersWord(submissionId: string): string {
  return `owner:${submissionId}`;
}

/** Whether a field is the venue's word: its own, or that of an operator whom it lets speak for it. */
export function isOwners(origin: string | undefined): boolean {
  return origin === 'owner' || origin?.startsWith('owner:') === true;
}

/** Whether a field is what an agent submitted, and not the venue's word. */
export function isAgents(origin: string | undefined): boolean {
  return origin !== undefined && !isOwners(origin);
}

/**
 * The contact by which the venue may be asked, and prove that it is the venue: a published one, or one that the venue
 * set. What an agent submitted is only shown; where it stands in the place of a published contact, that one counts.
 */
export function trustedContact(place: ContactsOfPlace, field: ContactField): string | null {
  return isAgents(place.origins[field]) ? (place.published[field] ?? null) : place[field];
}

/** Whether two contacts are the same one, however they are written. */
export function sameContact(field: ContactField, one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const plain = PLAIN[field];
  return plain(one) === plain(other);
}

const PLAIN: Readonly<Record<ContactField, (value: string) => string>> = {
  phone: (number) => number.replaceAll(/[^+\d]/g, ''),
  email: (address) => address.trim().toLowerCase(),
  website: (address) => URL.parse(address)?.href ?? address,
};

/** The same in SQL: whether what an agent submitted for a place, by its alias, is what `published` says too. */
export function submittedToo(field: ContactField, place: string, published: string): string {
  return `(${place}.origins->>'${field}' not like 'owner%' and lower(${place}.${field}) = lower(${published}))`;
}
