import otherNames from './other-names.json' with { type: 'json' };

/**
 * Other names that callers use for a member, by member. A name that leaves the unit of an amount open, such as price,
 * is in no list, because it would have to be guessed.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = otherNames;

/** The members that each other name can mean. */
const MEMBERS_BY_NAME = new Map<string, string[]>();
for (const [member, names] of Object.entries(OTHER_NAMES))
  for (const name of names.split(' '))
    MEMBERS_BY_NAME.set(name, [...(MEMBERS_BY_NAME.get(name) ?? []), member]);

/** Converts `partySize`, `party-size` and `Party Size` to party_size. */
function snakeCase(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}

const LENGTH_MAX = 40;

/** Returns the member that a name means; undefined for a name without a meaning here. */
export function memberForAlias(name: string, has: (member: string) => boolean): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const plain = snakeCase(name);
  if (has(plain)) return plain;
  return MEMBERS_BY_NAME.get(plain)?.find(has);
}
