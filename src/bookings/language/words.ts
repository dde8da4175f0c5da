import { memoizeText } from '../../core/memory/memoize-text.ts';

/** A table with its date and time formatted in the language. */
export interface WrittenTable {
  day: string;
  time: string;
  people: number;
}

/** Purpose of a message to a venue. */
export type MessagePurpose = 'new' | 'change' | 'reminder' | 'accepted' | 'cancelled' | 'kept';

/** Outcomes of a request that can no longer be answered. */
export type EndingName =
  | 'venueCancelled'
  | 'withdrawn'
  | 'unanswered'
  | 'booked'
  | 'changed'
  | 'changeDeclined'
  | 'changeEnded'
  | 'over'
  | 'replaced'
  | 'offered'
  | 'declined'
  | 'stopped';

/** Reasons for rejecting an answer. */
export type AnswerFault = 'answer' | 'day' | 'time' | 'passed' | 'same' | 'meanwhile' | 'oldPage';

type Sentence = (table: WrittenTable) => string;

/** All texts for a venue in one language, written and spoken. Names, notes and links are inserted unchanged. */
export interface VenueWords {
  /**
   * The language, with the country whose date and time formats are used where the venue's own country has another main
   * language.
   */
  locale: string;
  /** Voice language of calls; null where the phone provider has no voice for the language. */
  voice: string | null;

  /** A table within a sentence. */
  table: Sentence;

  /** Text messages and mails. The service's name and a colon precede a message. */
  messages: Readonly<Record<MessagePurpose, Sentence>>;
  subjects: Readonly<Record<MessagePurpose, Sentence>>;
  severalSubject: (tables: number, day: string) => string;
  forName: (name: string) => string;
  withNote: (note: string) => string;
  holdMeanwhile: Sentence;
  answerHere: (link: string) => string;
  answerEach: (link: string) => string;

  /** The page behind the link. */
  skip: string;
  yourVenue: string;
  askTitle: string;
  changeTitle: string;
  severalTitle: (tables: number, day: string) => string;
  guestHolds: Sentence;
  guests: string;
  name: string;
  note: string;
  answerBy: (weekday: string, time: string) => string;
  nothingCharged: (service: string) => string;
  help: string;

  /** Its buttons and fields. */
  yes: string;
  yesChange: string;
  no: string;
  noChange: string;
  otherTime: string;
  sameDay: string;
  otherDay: string;
  time: string;
  offerThis: string;
  stop: string;
  stopMeans: string;
  stopNow: string;
  undo: string;
  undoFor: (minutes: number) => string;
  cannotKeep: string;
  cannotKeepEither: string;
  cancelMeans: string;
  cancelNow: string;

  /** After a change that was declined, withdrawn or not answered. */
  staysAsItWas: Sentence;
  /** For a venue that opted out and still holds a table. */
  neverAgain: string;
  endings: Readonly<Record<EndingName, { title: string; words: string }>>;
  faults: Readonly<Record<AnswerFault, string>>;

  /** Spoken texts of a call. */
  hello: (place: string | null) => string;
  keys: string;
  silence: string;
  callEnded: string;
  thanks: Readonly<Record<'yes' | 'no' | 'no_change' | 'another_time', string>>;
}

const pluralsOf = memoizeText((language) => new Intl.PluralRules(language), 50);

/** Returns a number with its noun in the right plural form: 1 Person, 4 Personen. */
export function pluralIn(
  language: string,
  count: number,
  forms: { one?: string; few?: string; other: string },
): string {
  const form = pluralsOf(language).select(count);
  return `${count} ${(form === 'one' ? forms.one : form === 'few' ? forms.few : undefined) ?? forms.other}`;
}
