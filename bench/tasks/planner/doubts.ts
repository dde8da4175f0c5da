import type { Tool } from '../host.ts';
import { wordsOf } from './words.ts';

/** One call, so that nobody makes the same again. */
export function callKey(tool: Tool, given: Record<string, unknown>): string {
  return `${tool.name} ${JSON.stringify(given)}`;
}

/** Whether something that went under another name did not arrive: a search does not show it, a write warns of it. */
export function isLost({ name, value }: { name: string; value: string }, view: string, tool: Tool): boolean {
  if (new RegExp(`\\b${name}\\b[^]{0,80}\\btaken as\\b`, 'i').test(view)) return false;
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

/** The parameters that an error blames: those that it points at, or else those that it mentions. */
export function blamedIn(view: string, names: readonly string[]): string[] {
  const pointedAt = names.filter((name) => new RegExp(`/${name}\\b`).test(view));
  return pointedAt.length > 0 ? pointedAt : names.filter((name) => new RegExp(`\\b${name}\\b`).test(view));
}

/** Whether the fault lies in how arguments were filled, and not in what was said. */
export function isCareless(blamed: readonly string[], given: Readonly<Record<string, unknown>>): boolean {
  const isBlank = (value: unknown) =>
    value === '' || value === null || (typeof value === 'string' && /^\d+$/.test(value));
  return blamed.length === 0 || blamed.some((name) => isBlank(given[name]));
}
