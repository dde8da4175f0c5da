/** Makes a thing when it is first asked for, and keeps it: a start does not pay for what it does not need. */
export function whenNeeded<T>(make: () => T): () => T {
  let made: { thing: T } | undefined;
  return () => (made ??= { thing: make() }).thing;
}
