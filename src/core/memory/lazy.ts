/** Creates a value on first use and keeps it, so that a start does not pay for what it does not need. */
export function lazy<T>(make: () => T): () => T {
  let cached: { thing: T } | undefined;
  return () => (cached ??= { thing: make() }).thing;
}
