import { memoizeText } from '../core/memory/memoize-text.ts';
import type { TableRequest } from './booking.ts';
import { ENGLISH, type VenueLanguage } from './language/venue-language.ts';
import type { WrittenTable } from './language/words.ts';

type Form = 'day' | 'weekday' | 'time';

const OPTIONS: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  time: { hour: 'numeric', minute: '2-digit' },
};

/** Formats a local date: Friday 20 November. */
export function dayWords(date: string, { locale }: VenueLanguage = ENGLISH): string {
  return written(locale, 'day', new Date(`${date}T00:00:00Z`));
}

/** Formats a local time: 19:30, 19.30 or 7:30 PM. */
export function timeWords(time: string, { locale }: VenueLanguage = ENGLISH): string {
  return written(locale, 'time', new Date(`1970-01-01T${time}:00Z`));
}

/** Describes a table: a table for 4 on Friday 20 November at 19:30. */
export function tableWords(table: TableRequest, language: VenueLanguage = ENGLISH): string {
  return sentenceAbout(table, language, language.words.table);
}

/**
 * Fills a sentence of the language with a table. A time may end in a full stop, such as p.m.; a second one is removed.
 */
export function sentenceAbout(
  { date, time, partySize }: TableRequest,
  language: VenueLanguage,
  sentence: (table: WrittenTable) => string,
): string {
  const formatted = { day: dayWords(date, language), time: timeWords(time, language), people: partySize };
  return sentence(formatted).replace(/\.\.(?= |$)/g, '.');
}

/** Formats a time within the next days in the venue's time zone, as weekday and time. */
export function momentWords(at: Date, timeZone: string, { locale }: VenueLanguage): [string, string] {
  return [written(locale, 'weekday', at, timeZone), written(locale, 'time', at, timeZone)];
}

function written(locale: string, form: Form, at: Date, timeZone = 'UTC'): string {
  const format = formatOf(`${locale} ${form} ${timeZone}`);
  // The narrow spaces of some languages would split one text message into two.
  return format.format(at).replace(/[\u00a0\u202f]/g, ' ');
}

const FORMATS_REMEMBERED = 500;

/** Cached, because creating a format takes longer than the rest of a message. */
const formatOf = memoizeText((name): Intl.DateTimeFormat => {
  const [locale, form, timeZone] = name.split(' ') as [string, Form, string];
  const format = new Intl.DateTimeFormat(locale, { ...OPTIONS[form], timeZone });
  // With a 24-hour clock, morning hours also have two digits.
  return form === 'time' && format.resolvedOptions().hour12 === false
    ? new Intl.DateTimeFormat(locale, { ...OPTIONS.time, hour: '2-digit', timeZone })
    : format;
}, FORMATS_REMEMBERED);
