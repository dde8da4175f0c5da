import { oneLine } from './visible-text.ts';

type Told = string | number | null | undefined | false;

/** Facts in one line of a text. What is not known is left out. */
export function toldLine(...facts: readonly Told[]): string {
  return facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '')
    .join(' · ');
}

/** Lines of a text; those that have nothing to say are left out. */
export function toldLines(...lines: readonly Told[]): string {
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
}

/** A fact with its label, where there is one. */
export function labelled(label: string, fact: string | number | null | undefined): string | null {
  return fact === null || fact === undefined || fact === '' ? null : `${label}: ${fact}`;
}

/** A stranger's words inside a line: they can neither begin a line of ours nor pass for the next fact in it. */
export function told(words: string): string;
export function told(words: string | null): string | null;
export function told(words: string | null): string | null {
  return words === null ? null : oneLine(words).replaceAll('·', '-');
}
