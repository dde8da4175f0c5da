import type { ListedClosure } from '../../../directory/closure/closures.ts';

const REOPENED_BY = {
  staff: 'our staff found it open',
  venue: 'the venue says that it is open',
  website: 'its website answers again',
  import: 'it is in the map again',
} as const;

/** Renders the evidence of a closure and any reopening as text. */
export function closureText({ evidence, reopened, source, source_ref }: ListedClosure): string {
  const notes = evidence.map(({ note, observed_at }) => `${observed_at.slice(0, 10)}: ${note}`);
  const again = reopened === null ? [] : [`${reopened.at.slice(0, 10)}: ${REOPENED_BY[reopened.by]}.`];
  return [...notes, ...again, `Source: ${source} ${source_ref}`].join('\n');
}

export function reopenedWords(by: keyof typeof REOPENED_BY): string {
  return `Open again: ${REOPENED_BY[by]}.`;
}
