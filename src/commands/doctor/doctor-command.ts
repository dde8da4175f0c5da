import type { Config } from '../../config.ts';
import { examine } from './examine.ts';
import { findingLines } from './finding.ts';

/** Prints every finding. Returns a sentence if one of them is a fault. */
export async function doctorCommand(
  config: Config,
  say: (line: string) => void,
): Promise<string | undefined> {
  const counts = { ok: 0, warning: 0, fault: 0 };
  for await (const finding of examine(config)) {
    counts[finding.state]++;
    for (const line of findingLines(finding)) say(line);
  }
  const { warning, fault } = counts;
  if (fault > 0) return `${fault === 1 ? 'One fault' : `${fault} faults`} must be fixed.`;
  say(warning === 0 ? 'Everything is in order.' : 'Nothing is broken; the warnings say what to look at.');
  return undefined;
}
