/** Parses a time from a source: seconds since 1970, or a date with its time; without a time zone it is UTC. */
export function readSourceDate(value: unknown): Date | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value === 'number') return readSourceDate(String(value));
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1000);
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(text)) return null;
  // Dates without a zone must not be read in the time zone of this machine.
  const hasZone = text.length <= 10 || /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text);
  return readSourceDate(new Date(`${text.replace(' ', 'T')}${hasZone ? '' : 'Z'}`));
}
