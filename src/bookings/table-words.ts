import { memoizeText } from '../core/memory/memoize-text.ts';
import { cutAtWord } from '../core/text/limits.ts';
import { DAY_MS } from '../core/time.ts';
import type { Booking, TableRequest } from './booking.ts';
import type { MessageValues, SentenceKey } from './language/catalogue.ts';
import { ENGLISH, type VenueLanguage } from './language/venue-language.ts';

type Form = 'day' | 'weekday' | 'date' | 'time';

const OPTIONS: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  date: { day: 'numeric', month: 'long' },
  time: { hour: 'numeric', minute: '2-digit' },
};

export function dayWords(date: string, { locale }: VenueLanguage = ENGLISH): string {
  return written(locale, 'day', new Date(`${date}T00:00:00Z`));
}

/** Names a day that is today or tomorrow; other days have no such word. */
export function nearDayWords(date: string, today: string, { locale }: VenueLanguage): string | undefined {
  const days = (Date.parse(date) - Date.parse(today)) / DAY_MS;
  if (days !== 0 && days !== 1) return undefined;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
}

export function timeWords(time: string, { locale }: VenueLanguage = ENGLISH): string {
  return written(locale, 'time', new Date(`1970-01-01T${time}:00Z`));
}

/** Describes a table: a table for 4 on Friday 20 November at 19:30. */
export function tableWords(table: TableRequest, language: VenueLanguage = ENGLISH): string {
  return oneFullStop(tableIn(table, language));
}

export function sentenceAbout(table: TableRequest, language: VenueLanguage, key: SentenceKey): string {
  return oneFullStop(language.text(key, { table: tableIn(table, language) }));
}

function tableIn({ date, time, timeUntil, partySize }: TableRequest, language: VenueLanguage): string {
  const written = timeWords(time, language);
  const values = { people: partySize, ...dayValues(date, language), time: written, hour: hourOf(written) };
  if (!timeUntil) return language.text('table', values);
  const until = timeWords(timeUntil, language);
  return language.text('tableBetween', { ...values, until, untilHour: hourOf(until) });
}

/** A time, or a window with both of its ends. */
export function timesWords(
  { time, timeUntil }: Pick<TableRequest, 'time' | 'timeUntil'>,
  language: VenueLanguage = ENGLISH,
): string {
  return timeUntil
    ? `${timeWords(time, language)} – ${timeWords(timeUntil, language)}`
    : timeWords(time, language);
}

/** Says which time a plain yes to a window means. */
export function windowWords({ time }: TableRequest, language: VenueLanguage): string {
  const written = timeWords(time, language);
  return oneFullStop(language.text('message.window', { time: written, hour: hourOf(written) }));
}

/** Says for whom a table is: the name, and the partner whose guest it is. */
export function guestWords(
  { guestName, askedBy }: Pick<Booking, 'guestName' | 'askedBy'>,
  language: VenueLanguage = ENGLISH,
): string {
  return askedBy === null
    ? guestName
    : language.text('guestOf', { name: guestName, partner: cutAtWord(askedBy, PARTNER_NAME_MAX) });
}

const PARTNER_NAME_MAX = 60;

/** Removes the second of two full stops: a time may end in one, such as p.m. */
function oneFullStop(text: string): string {
  return text.replace(/\.\.(?= |$)/g, '.');
}

export function dayValues(
  date: string,
  language: VenueLanguage,
): Omit<MessageValues<'subject.several'>, 'tables'> {
  const at = new Date(`${date}T00:00:00Z`);
  const { locale } = language;
  return {
    day: dayWords(date, language),
    weekday: written(locale, 'weekday', at),
    date: written(locale, 'date', at),
  };
}

/** Formats a time within the next days in the venue's time zone, as weekday and time. */
export function momentValues(
  at: Date,
  timeZone: string,
  { locale }: VenueLanguage,
): MessageValues<'page.answerBy'> {
  const time = written(locale, 'time', at, timeZone);
  return { weekday: written(locale, 'weekday', at, timeZone), time, hour: hourOf(time) };
}

function hourOf(time: string): number {
  return Number.parseInt(time, 10);
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
