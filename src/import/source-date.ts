/** A moment as sources write it: seconds since 1970, or a date with its time; without a zone it is universal time. */
export function readSourceDate(written: unknown): Date | null {
  if (written instanceof Date) return Number.isNaN(written.getTime()) ? null : written;
  if (typeof written === 'number') return readSourceDate(String(written));
  if (typeof written !== 'string') return null;
  const text = written.trim();
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1000);
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(text)) return null;
  // Never in the zone of this machine.
  const hasZone = text.length <= 10 || /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text);
  return readSourceDate(new Date(`${text.replace(' ', 'T')}${hasZone ? '' : 'Z'}`));
}
