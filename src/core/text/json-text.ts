/** Writes the members of an object after a comma or an opening brace. The caller writes the closing brace. */
export function writeMembers(values: object, opening: ',' | '{' = ','): string {
  const text = JSON.stringify(values);
  return text === '{}' ? '' : opening + text.slice(1, -1);
}

/**
 * Generates the serializer of some members of an object. Undefined ones are omitted. JSON.stringify of the selected
 * members was measured to be faster than joining the texts of the values.
 */
export function memberWriter<Name extends string>(
  names: readonly Name[],
  opening: ',' | '{' = ',',
): (values: Readonly<Partial<Record<Name, unknown>>>) => string {
  return (values) => {
    const selected: Partial<Record<Name, unknown>> = {};
    for (const name of names) if (values[name] !== undefined) selected[name] = values[name];
    return writeMembers(selected, opening);
  };
}

/** Writes a member whose value is already JSON. */
export function jsonMember(name: string, json: string): string {
  return `,"${name}":${json}`;
}

/** Writes a text member without its end, for a value that continues with characters that need no escaping. */
export function openMember(name: string, text: string): string {
  return jsonMember(name, JSON.stringify(text).slice(0, -1));
}

/** Writes the text of an object before and after the items of one of its lists, which are already JSON. */
export function aroundList(before: object, list: string, after: object): [start: string, end: string] {
  const start = JSON.stringify({ ...before, [list]: [] });
  return [start.slice(0, -2), `],${JSON.stringify(after).slice(1)}`];
}
