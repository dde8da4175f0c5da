import type { Deps } from '../../core/context.ts';
import type { Warning } from '../../core/input/warning.ts';
import { PreparedAnswer, type Operation } from '../../core/operation.ts';

/** Serializes an output. Parsing strips undeclared members, so that a wide select leaks nothing. */
export function prepare(
  deps: Deps,
  operation: Operation,
  result: Record<string, unknown> | PreparedAnswer,
  warnings: Warning[],
): PreparedAnswer {
  if (result instanceof PreparedAnswer) {
    if (warnings.length === 0) return result;
    return result.with(`"warnings":${JSON.stringify(warnings)}`, (text) => withWarnings(text, warnings));
  }
  const { attribution } = deps.destinations.current;
  const output = operation.output.parse(result);
  const own = output['warnings'] as Warning[] | undefined;
  const all = [...(own ?? []), ...warnings];
  const payload = {
    ...output,
    ...(own !== undefined || all.length > 0 ? { warnings: all } : {}),
    ...attribution,
  };
  return new PreparedAnswer(JSON.stringify(payload), () => answerText(operation, payload));
}

export function answerText(operation: Operation, answer: Record<string, unknown>): string {
  const text = operation.summarize?.(answer) ?? operation.title;
  return withWarnings(`${text}\n${String(answer['attribution'])}`, (answer['warnings'] ?? []) as Warning[]);
}

const POINTER_MAX = 60;

/** Puts the warnings into the text, for a model that sees only that. */
function withWarnings(text: string, warnings: readonly Warning[]): string {
  const lines = warnings.map(
    ({ pointer, detail = 'Unknown and ignored.' }) =>
      `Warning: ${Array.from(pointer).slice(0, POINTER_MAX).join('')}: ${detail}`,
  );
  return [...lines, text].join('\n');
}
