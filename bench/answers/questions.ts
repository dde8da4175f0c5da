import { readFileSync } from 'node:fs';

export const ANSWER_BENCH_LANGUAGES = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'id', 'ja', 'th'] as const;

/** A question of one topic in one language, and what is true about its places, as conditions in SQL. */
export interface AnswerQuestion {
  topic: string;
  language: string;
  destination: string;
  question: string;
  /** Condition of the places that the question asks for; undefined where a record cannot decide. */
  where: string | undefined;
  /** Condition that no named place may meet. */
  never: string | undefined;
  /** True when the question names a place that has closed. */
  isClosed: boolean;
}

/** Reads the questions, which were written before any answer to them was seen. */
export function readAnswerQuestions(closed: ReadonlyMap<string, string>): AnswerQuestion[] {
  const text = readFileSync(new URL('questions.tsv', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line) => {
    const [topic = '', destination = '', sql = '', never = '', ...questions] = line.split('\t');
    return questions.map((question, at) => ({
      topic,
      destination,
      language: ANSWER_BENCH_LANGUAGES[at] ?? '',
      question: question.replace('{closed}', closed.get(destination) ?? ''),
      where: sql === '' || sql === 'closed' ? undefined : sql,
      never: never === '' ? undefined : never,
      isClosed: sql === 'closed',
    }));
  });
}
