import { readFileSync } from 'node:fs';
import { messageRenderer } from '../../core/text/message-catalogue.ts';
import type english from './catalogues/en.json';

/** Key of a message in the catalogues, for example `page.skip`. Every language has the keys of English. */
export type MessageKey = keyof typeof english;

/**
 * Arguments by message; a message that is not listed has none. `people`, `tables` and `minutes` are counts. `day` is a
 * written date with its weekday, `weekday` and `date` are its two parts; `time` is a written time, `hour` its hour;
 * `until` and `untilHour` are the same of the end of a window. `table` is the message `table`. `per` is person or table;
 * `dress` is a dress code. A language may leave out `weekday`, `date`, `hour` and `untilHour`, which only serve its grammar.
 */
export const MESSAGE_ARGUMENTS = {
  table: ['people', 'day', 'weekday', 'date', 'time', 'hour'],
  tableBetween: ['people', 'day', 'weekday', 'date', 'time', 'hour', 'until', 'untilHour'],
  guestOf: ['name', 'partner'],
  'message.to': ['service', 'place'],
  'message.new': ['table'],
  'message.change': ['table'],
  'message.reminder': ['table'],
  'message.accepted': ['table'],
  'message.cancelled': ['table'],
  'message.kept': ['table'],
  'message.window': ['time', 'hour'],
  'message.name': ['name'],
  'message.note': ['note'],
  'message.holdMeanwhile': ['table'],
  'message.answerHere': ['link'],
  'message.answerEach': ['link'],
  'message.answerByText': ['yes', 'no', 'link', 'stop'],
  'message.person': ['contact'],
  'reply.unclear': ['table', 'yes', 'no'],
  'reply.several': ['tables', 'example'],
  'reply.stopped': ['start'],
  'reply.started': ['stop'],
  'subject.new': ['table'],
  'subject.change': ['table'],
  'subject.reminder': ['table'],
  'subject.accepted': ['table'],
  'subject.cancelled': ['table'],
  'subject.kept': ['table'],
  'subject.several': ['tables', 'day', 'weekday', 'date'],
  'page.severalTitle': ['tables', 'day', 'weekday', 'date'],
  'page.guestHolds': ['table'],
  'page.answerBy': ['weekday', 'time', 'hour'],
  'page.nothingCharged': ['service'],
  'page.staysAsItWas': ['table'],
  'form.undoFor': ['minutes'],
  'call.helloPlace': ['place'],
  'page.afterwardsThanks': ['partner'],
  'page.partnerRecord': ['partner', 'came', 'absent', 'late'],
  'message.message': ['table'],
  'subject.message': ['table'],
  'coded.late': ['minutes'],
  'coded.allergies': ['list'],
  'terms.deposit': ['money', 'per'],
  'terms.minimum_spend': ['money', 'per'],
  'terms.service_charge_pct': ['percent'],
  'terms.cancellation_hours': ['hours'],
  'terms.hold_minutes': ['minutes'],
  'terms.children_from_age': ['age'],
  'terms.dress_code': ['dress'],
} as const satisfies Partial<Record<MessageKey, readonly string[]>>;

type WithArguments = typeof MESSAGE_ARGUMENTS;

export type MessageValues<Key extends keyof WithArguments> = {
  [Name in WithArguments[Key][number]]: Name extends
    | 'people'
    | 'tables'
    | 'minutes'
    | 'hour'
    | 'untilHour'
    | 'hours'
    | 'percent'
    | 'age'
    | 'came'
    | 'absent'
    | 'late'
    ? number
    : string;
};

export type MessageText = <Key extends MessageKey>(
  key: Key,
  ...values: Key extends keyof WithArguments ? [MessageValues<Key>] : []
) => string;

export type SentenceKey = {
  [Key in keyof WithArguments]: WithArguments[Key] extends readonly ['table'] ? Key : never;
}[keyof WithArguments];

type NameIn<Key, Start extends string, End extends string> = Key extends `${Start}${infer Name}${End}`
  ? Name
  : never;

/** Outcomes of a request that can no longer be answered. */
export type EndingName = NameIn<MessageKey, 'outcome.', '.title'>;

/** Reasons for rejecting an answer. */
export type AnswerFault = NameIn<MessageKey, 'fault.', ''>;

export function readCatalogue(code: string): Readonly<Record<MessageKey, string>> {
  const file = new URL(`./catalogues/${code}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<MessageKey, string>;
}

/** Returns the renderer of a language. Numbers have the digits 0 to 9 in all of them. */
export function messageText(code: string): MessageText {
  return messageRenderer(`${code}-u-nu-latn`, () => readCatalogue(code));
}
