/** A description in which every reference to its own components is replaced by what it points to. */
export function dereference<Document extends object>(document: Document): Document {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') return follow(at(document, value.$ref));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, follow(inner)]));
  };
  return follow(document) as Document;
}

function at(document: object, pointer: string): unknown {
  let found: unknown = document;
  for (const key of pointer.replace(/^#\//, '').split('/')) found = (found as Record<string, unknown>)[key];
  if (found === undefined) throw new Error(`${pointer} leads nowhere.`);
  return found;
}
