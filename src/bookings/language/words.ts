import { remember } from '../../core/memory/remember.ts';

/** A table with its day and its clock time as the language writes them. */
export interface WrittenTable {
  day: string;
  time: string;
  people: number;
}

/** What a message to a venue is about. */
export type MessagePurpose = 'new' | 'change' | 'reminder' | 'accepted' | 'cancelled' | 'kept';

/** How a question ended that can no longer be answered. */
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

/** Why an answer was not taken. */
export type AnswerFault = 'answer' | 'day' | 'time' | 'passed' | 'same' | 'meanwhile' | 'oldPage';

type Sentence = (table: WrittenTable) => string;

/** All that a venue reads and hears, in one language. Names, notes and links are put in as they are. */
export interface VenueWords {
  /** The language, with the country whose dates and clock serve where a venue's own country speaks another. */
  locale: string;
  /** What a call is spoken in; null where the phone provider has no voice for the language. */
  voice: string | null;

  /** A table, as it stands within a sentence. */
  table: Sentence;

  /** Text messages and mails. A message follows the name of the service and a colon. */
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
  /** To a venue that wants no more requests and keeps a table. */
  neverAgain: string;
  endings: Readonly<Record<EndingName, { title: string; words: string }>>;
  faults: Readonly<Record<AnswerFault, string>>;

  /** What a call says. */
  hello: (place: string | null) => string;
  keys: string;
  silence: string;
  callEnded: string;
  thanks: Readonly<Record<'yes' | 'no' | 'no_change' | 'another_time', string>>;
}

const pluralsOf = remember((language) => new Intl.PluralRules(language), 50);

/** A number with its noun in the form that the language wants: 1 Person, 4 Personen. */
export function counted(
  language: string,
  count: number,
  forms: { one?: string; few?: string; other: string },
): string {
  const form = pluralsOf(language).select(count);
  return `${count} ${(form === 'one' ? forms.one : form === 'few' ? forms.few : undefined) ?? forms.other}`;
}
