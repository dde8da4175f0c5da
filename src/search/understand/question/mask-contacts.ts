const EMAIL = /[\p{L}\p{N}._%+-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
/** Seven or more digits that belong together. Dates and times of day are not phone numbers. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d(?:[\s().\-/]{0,2}\d){6,}(?![\p{L}\p{N}])/gu;
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}(:?\d{2})?)?$/;

/** Masks email addresses and phone numbers in a question before it is processed further. */
export function maskContacts(question: string): { text: string; masked: boolean } {
  const text = question
    .replace(EMAIL, '[email]')
    .replace(PHONE, (match) => (DATE.test(match.trim()) ? match : '[phone]'));
  return { text, masked: text !== question };
}

const MARKS = /\[(email|phone)\]/g;

/** Removes the placeholders of masked contacts, which carry no meaning. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, ' ');
}
