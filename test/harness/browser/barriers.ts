import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
// Every rule looks at every element all the same; only those that break one are described and sent back.
const run = (part: string) =>
  `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`;

/** Accessibility faults that axe finds in a page, a frame or a part of one. */
export async function barriersIn(shown: Page | Frame, part = 'html'): Promise<string[]> {
  await shown.evaluate(AXE);
  const violations = await shown.evaluate<
    { id: string; nodes: { html: string; failureSummary: string }[] }[]
  >(run(part));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
