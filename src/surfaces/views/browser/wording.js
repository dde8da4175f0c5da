/** @import { Table, Words } from './shapes.ts' */
import { english } from './words/english.js';
import { french } from './words/french.js';
import { german } from './words/german.js';
import { japanese } from './words/japanese.js';
import { spanish } from './words/spanish.js';

const LANGUAGES = [english, german, french, spanish, japanese];

/** Texts for a reader, with numbers and dates in the format of the reader's region. */
export class Wording {
  /** @type {Words} */
  words = english;
  locale = 'en';

  /** Sets the language. Returns true when it changed. @param {string | undefined} locale */
  setLocale(locale) {
    const language = locale?.split('-')[0]?.toLowerCase();
    const words = LANGUAGES.find((one) => one.language === language) ?? english;
    const supported = words.language === language && locale !== undefined && isLocale(locale);
    const next = supported ? locale : words.language;
    const changed = next !== this.locale;
    this.words = words;
    this.locale = next;
    return changed;
  }

  /** Formats an instant, in the time zone of the place if there is one. @param {string} at @param {string} [zone] */
  moment(at, zone) {
    return this.#date(new Date(at), { dateStyle: 'medium', timeStyle: 'short' }, zone);
  }

  /** @param {string} at @param {string} [zone] */
  clock(at, zone) {
    return this.#date(new Date(at), { timeStyle: 'short' }, zone);
  }

  /** Formats a local date and time. @param {Pick<Table, 'date' | 'time'>} table */
  tableTime({ date, time }) {
    const at = new Date(`${date}T${time}:00Z`);
    return this.#date(
      at,
      { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' },
      'UTC',
    );
  }

  /** @param {Table} table */
  table(table) {
    return `${this.tableTime(table)} · ${this.words.people(table.party_size)}`;
  }

  /** Name of a day of the week. @param {number} day 0 is Monday. */
  weekday(day) {
    return this.#date(new Date(Date.UTC(2024, 0, 1 + day)), { weekday: 'long' }, 'UTC');
  }

  /** @param {string} month YYYY-MM */
  month(month) {
    return this.#date(new Date(`${month}-01T00:00:00Z`), { month: 'long', year: 'numeric' }, 'UTC');
  }

  /** @param {number} cents */
  money(cents) {
    return new Intl.NumberFormat(this.locale, { style: 'currency', currency: 'USD' }).format(cents / 100);
  }

  /** @param {number} metres */
  distance(metres) {
    const far = metres >= 1000;
    return new Intl.NumberFormat(this.locale, {
      style: 'unit',
      unit: far ? 'kilometer' : 'meter',
      maximumFractionDigits: far && metres < 10_000 ? 1 : 0,
    }).format(far ? metres / 1000 : metres);
  }

  /** @param {number} value */
  rating(value) {
    return new Intl.NumberFormat(this.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
      value,
    );
  }

  /** @param {Date} at @param {Intl.DateTimeFormatOptions} options @param {string} [timeZone] */
  #date(at, options, timeZone) {
    if (Number.isNaN(at.getTime())) return '';
    try {
      return new Intl.DateTimeFormat(this.locale, { ...options, timeZone }).format(at);
    } catch {
      return new Intl.DateTimeFormat(this.locale, options).format(at);
    }
  }
}

/** @param {string} locale */
function isLocale(locale) {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
