import { oneLine } from './visible-text.ts';

type Fact = string | number | null | undefined | false;

export function joinFacts(...facts: readonly Fact[]): string {
  return facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '')
    .join(' · ');
}

export function joinLines(...lines: readonly Fact[]): string {
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
}

export function labelled(label: string, fact: string | number | null | undefined): string | null {
  return fact === null || fact === undefined || fact === '' ? null : `${label}: ${fact}`;
}

/** Makes untrusted text safe inside a line: it can neither begin a new line nor pass for the next fact. */
export function quoteUntrusted(words: string): string;
export function quoteUntrusted(words: string | null): string | null;
export function quoteUntrusted(words: string | null): string | null {
  return words === null ? null : oneLine(words).replaceAll('·', '-');
}
