import type { AnswerLanguage, PlainKey } from '../language/answer-language.ts';

/** A sentence besides the places. */
export interface Note {
  text: string;
  /** True when the answer would be misleading without it. Other notes are dropped when there is no room. */
  needed: boolean;
}

type NoteName = PlainKey extends infer Key ? (Key extends `note.${infer Name}` ? Name : never) : never;

/** Notes that may be dropped when there is no room. */
const OPTIONAL = new Set<NoteName>(['deals', 'masked']);

/** Returns a note that makes no statement about the directory. */
export function noteOf({ text }: AnswerLanguage, name: NoteName, place = ''): Note {
  return { text: text(`note.${name}`, { place }), needed: !OPTIONAL.has(name) };
}

/** Names topics that the directory does not cover. */
export function outWords({ or, text }: AnswerLanguage, out: ReadonlySet<string>): string {
  return or([...out].map((topic) => text(`out.${TOPICS.has(topic) ? topic : 'task'}` as 'out.task')));
}

const TOPICS = new Set('weather travel money news personal health safety task'.split(' '));
