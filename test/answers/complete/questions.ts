import { readFileSync } from 'node:fs';

/** A question with what its answer must hold and must name as not in the directory. */
export interface CompleteQuestion {
  destination: string;
  question: string;
  /** Values that every place must have, and that the question must be read as. Lists are alternatives. */
  holds: ReadonlyMap<string, readonly string[]>;
  /** Parts that must be named, each by its words; with `or`, it may be honoured instead. */
  missing: readonly { words: string; or: string | undefined }[];
  /** Words that may be named beside them. */
  may: readonly string[];
}

const FOLDER = new URL('.', import.meta.url).pathname;

/**
 * Reads one file: destination, question, what holds, what must be named, what may be. It holds `kind`, `cuisine`,
 * `diet`, `area`, `price`, `rating`, `reviews`, `without` of every place, `each` of at least one, `open` at a local time or `none`,
 * `party`, and `out` where no place can be the answer.
 */
export function readQuestions(file: string): CompleteQuestion[] {
  return readFileSync(`${FOLDER}${file}.tsv`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [destination = '', question = '', holds = '', missing = '', may = ''] = line.split('\t');
      return {
        destination,
        question,
        holds: new Map(holds.split(' ').filter(Boolean).map(readWish)),
        missing: missing
          .split('|')
          .map((part) => part.trim().split('~'))
          .filter(([words]) => words !== '')
          .map(([words = '', or]) => ({ words, or })),
        may: may.split(',').filter(Boolean),
      };
    });
}

/** "area=Le_Marais" as a name and its alternatives. */
export function readWish(text: string): [string, readonly string[]] {
  const [name = '', values = ''] = text.split('~')[0]?.split('=') ?? [];
  const others = text
    .split('~')
    .slice(1)
    .map((one) => one.split('=')[1] ?? '');
  return [
    name,
    [...values.split(','), ...others].map((value) => value.replaceAll('_', name === 'area' ? ' ' : '_')),
  ];
}
