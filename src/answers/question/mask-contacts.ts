const EMAIL = /[\p{L}\p{N}._%+-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
/** Seven digits or more that belong together; a date and a time of day are not a number to call. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d(?:[\s().\-/]{0,2}\d){6,}(?![\p{L}\p{N}])/gu;
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}(:?\d{2})?)?$/;

export interface Masked {
  text: string;
  /** Whether anything was taken out. */
  masked: boolean;
}

/** Takes addresses and numbers of people out of a question, before anything else looks at it. */
export function maskContacts(question: string): Masked {
  const text = question
    .replace(EMAIL, '[email]')
    .replace(PHONE, (found) => (DATE.test(found.trim()) ? found : '[phone]'));
  return { text, masked: text !== question };
}

const MARKS = /\[(email|phone)\]/g;

/** What is left to be understood. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, ' ');
}
