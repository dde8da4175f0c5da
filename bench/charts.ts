import { mkdirSync, writeFileSync } from 'node:fs';
import { enginesChart, growthChart, requestsChart } from './charts/drawings.ts';
import { readSections, type Section } from './results.ts';

// Draws docs/charts/*.svg from what the benchmarks found last. One that has not run has no chart.
const FOLDER = new URL('../docs/charts/', import.meta.url);
const sections = Object.entries(readSections());

/** The section of this title; of several sizes, the largest. */
function latest(title: string): Section['figures'] | undefined {
  const found = sections.filter(
    ([name, { figures }]) => name.startsWith(title) && Object.keys(figures).length > 0,
  );
  found.sort(([, a], [, b]) => Number(b.figures['places'] ?? 0) - Number(a.figures['places'] ?? 0));
  return found[0]?.[1].figures;
}

const search = latest('Search at');
const growth = latest('How cost grows');
const engines = latest('Engines');
const charts = {
  'requests.svg': search && requestsChart(search as never),
  'growth.svg': growth && growthChart(growth['sizes'] as never),
  'engines.svg':
    engines && enginesChart(Number(engines['places']), engines['real'] === true, engines['engines'] as never),
};
mkdirSync(FOLDER, { recursive: true });
for (const [name, svg] of Object.entries(charts)) {
  if (svg !== undefined) writeFileSync(new URL(name, FOLDER), svg);
  process.stdout.write(`docs/charts/${name}: ${svg === undefined ? 'its benchmark has not run' : 'drawn'}\n`);
}
