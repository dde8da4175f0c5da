import type { Deps } from '../../core/context.ts';
import { PreparedAnswer, type Operation, type Warning } from '../../core/operation.ts';

/**
 * Turns an operation's output into the answer's text. Parsing strips what the schema does not name, so that a wide
 * select leaks nothing. Every answer gets the attribution, and the warnings if there are any.
 */
export function prepare(
  deps: Deps,
  operation: Operation,
  result: Record<string, unknown> | PreparedAnswer,
  warnings: Warning[],
): PreparedAnswer {
  if (result instanceof PreparedAnswer) {
    if (warnings.length === 0) return result;
    return result.with(`"warnings":${JSON.stringify(warnings)}`);
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
  return new PreparedAnswer(
    JSON.stringify(payload),
    () => `${operation.summarize?.(output) ?? operation.title}\n${attribution.attribution}`,
  );
}
