import type { Tool } from '../host.ts';
import { wordsOf } from './words.ts';

/** One call, so that nobody makes the same again. */
export function callKey(tool: Tool, given: Record<string, unknown>): string {
  return `${tool.name} ${JSON.stringify(given)}`;
}

/** Whether something that went under another name did not arrive: a search does not show it, a write warns of it. */
export function isLost({ name, value }: { name: string; value: string }, view: string, tool: Tool): boolean {
  if (tool.annotations?.readOnlyHint !== true)
    return /unknown|ignored|not taken/i.test(view) && new RegExp(`\\b${name}\\b`).test(view);
  const shown = new Set(wordsOf(view));
  return !wordsOf(value).some((word) => shown.has(word));
}

/** A number in an error that is below the one that was sent: a cap, most likely. */
export function boundIn(view: string, sent: unknown): number | undefined {
  if (typeof sent !== 'number') return undefined;
  const numbers = (view.match(/\b\d+\b/g) ?? []).map(Number).filter((number) => number > 1 && number < sent);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
