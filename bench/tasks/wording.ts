import type { Task, Value } from './task.ts';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });

/** Removes values that the wording does not contain, so that the planner knows no more than a model would. */
export function onlyWhatIsSaid<T extends Pick<Task, 'ask' | 'said'>>(task: T): T {
  const said = Object.entries(task.said).filter(([word]) => task.ask.includes(`{${word}}`));
  return { ...task, said: Object.fromEntries(said) };
}

/** The task in the words in which an agent gets it. */
export function wording({ ask, said }: Pick<Task, 'ask' | 'said'>): string {
  return ask.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = said[word];
    if (value === undefined) throw new Error(`The wording speaks of ${word}, which is not said: ${ask}`);
    return inWords(value);
  });
}

function inWords(value: Value): string {
  if (typeof value === 'object') return value.map(inWords).join(' or ');
  const text = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? DAY.format(new Date(`${text}T00:00:00Z`)) : text;
}
