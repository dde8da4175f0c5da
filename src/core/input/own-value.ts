/** The value that a table has for a text from outside. Names that every object has, such as `constructor`, find nothing. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
