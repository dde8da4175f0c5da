import { remember } from '../core/memory/remember.ts';
import type { Table } from './booking.ts';
import { ENGLISH, type VenueLanguage } from './language/venue-language.ts';
import type { WrittenTable } from './language/words.ts';

type Form = 'day' | 'weekday' | 'time';

const OPTIONS: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  time: { hour: 'numeric', minute: '2-digit' },
};

/** A local date as people say it: Friday 20 November. */
export function dayWords(date: string, { locale }: VenueLanguage = ENGLISH): string {
  return written(locale, 'day', new Date(`${date}T00:00:00Z`));
}

/** A local clock time as people write it: 19:30, 19.30 or 7:30 PM. */
export function timeWords(time: string, { locale }: VenueLanguage = ENGLISH): string {
  return written(locale, 'time', new Date(`1970-01-01T${time}:00Z`));
}

/** A table as people say it: a table for 4 on Friday 20 November at 19:30. */
export function tableWords(table: Table, language: VenueLanguage = ENGLISH): string {
  return sentenceAbout(table, language, language.words.table);
}

/** One of the language's sentences about a table. A time may end in a stop of its own, as p.m. does; one is enough. */
export function sentenceAbout(
  { date, time, partySize }: Table,
  language: VenueLanguage,
  sentence: (table: WrittenTable) => string,
): string {
  const written = { day: dayWords(date, language), time: timeWords(time, language), people: partySize };
  return sentence(written).replace(/\.\.(?= |$)/g, '.');
}

/** A moment of the next days by the venue's clock: its weekday and its time. */
export function momentWords(at: Date, timeZone: string, { locale }: VenueLanguage): [string, string] {
  return [written(locale, 'weekday', at, timeZone), written(locale, 'time', at, timeZone)];
}

function written(locale: string, form: Form, at: Date, timeZone = 'UTC'): string {
  const format = formatOf(`${locale} ${form} ${timeZone}`);
  // The narrow spaces of some languages would make two text messages out of one.
  return format.format(at).replace(/[\u00a0\u202f]/g, ' ');
}

const FORMATS_REMEMBERED = 500;

/** To make one takes longer than all else that a message needs. */
const formatOf = remember((name): Intl.DateTimeFormat => {
  const [locale, form, timeZone] = name.split(' ') as [string, Form, string];
  const format = new Intl.DateTimeFormat(locale, { ...OPTIONS[form], timeZone });
  // Where the clock has 24 hours, morning hours have two digits too.
  return form === 'time' && format.resolvedOptions().hour12 === false
    ? new Intl.DateTimeFormat(locale, { ...OPTIONS.time, hour: '2-digit', timeZone })
    : format;
}, FORMATS_REMEMBERED);
