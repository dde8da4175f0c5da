/** Whether a text says all of these, whatever its spacing and letter case. */
export function holds(text: string, ...parts: readonly (string | number | null)[]): boolean {
  const flat = plain(text);
  return parts.every((part) => part !== null && flat.includes(plain(String(part))));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Whether a text says a number of cents, as cents or as dollars. */
export function holdsPrice(text: string, cents: number): boolean {
  return holds(text, cents) || holds(text, (cents / 100).toFixed(2));
}

/** Whether a text says a telephone number, however its digits are grouped. */
export function holdsPhone(text: string, phone: string | null): boolean {
  return phone !== null && text.replaceAll(/[\s().-]/g, '').includes(phone);
}

/** The ids of places in a text, each once. */
export function placeIds(text: string): string[] {
  return [...new Set(text.match(/plc_[0-9a-z]{26}/g) ?? [])];
}
