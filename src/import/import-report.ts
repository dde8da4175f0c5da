import type { EnrichReport } from './enrich-places.ts';
import type { ImportReport } from './import-places.ts';

type Line = readonly [label: string, count: number];

/** Formats the counts of an import. Common ones are always shown, the others when they are not zero. */
export function reportLines(report: ImportReport): string[] {
  const { read } = report;
  const always: Line[] = [
    ['read', read.places],
    ['new', report.added],
    ['updated', report.updated],
    ['unchanged', report.unchanged],
    ['closed', report.closed],
    ['reopened', report.reopened],
    ['outside destinations', report.outside],
    ['phones as published', read.phones_as_published],
    ['hours not understood', report.hoursNotUnderstood],
  ];
  const optional: Line[] = [
    ['new destinations', report.destinations],
    ['redrawn in the map, ids unchanged', report.redrawn],
    ['duplicates already in the directory, merged', report.twins],
    ['duplicates in the file, stored once', report.joined],
    ['matched with places of other sources', report.matched],
    ['of these, too similar to tell apart', report.silent],
    ['in the map under other tags, kept', report.retagged],
    ['outside the area of the file, kept', report.beyond],
    ['in a newer file of another source, kept', report.elsewhere],
    ['claimed, but closed in the map', report.doubted],
    ['closed in the source', read.closed],
    ['without a name', read.unnamed],
    ['vacant', read.vacant],
    ['rooms and other parts of a building', read.parts],
    ['routes', read.routes],
    ['without a position', read.without_position],
    ['marked as doubtful by the source', read.doubtful],
    ['websites dropped', read.websites_dropped],
    ['texts shortened to their limits', report.cut.count],
    ['impossible dates, ignored', report.dates.count],
    ['lines skipped', report.skipped.count],
  ];
  const title =
    report.extractedAt === null
      ? `Imported. The newest edit in the file is of ${report.asOf.toISOString().slice(0, 10)}.`
      : `Imported the extract of ${report.extractedAt.toISOString().slice(0, 10)}.`;
  return [
    title,
    ...figureLines([...always, ...optional.filter(([, count]) => count > 0)]),
    ...outsideLines(report),
    ...noteLines(report),
    ...retiredLines(report),
  ];
}

/** Lists the settlements near places that no destination covers, so that an operator can add destinations. */
function outsideLines({ outsideNear }: ImportReport): string[] {
  if (outsideNear.length === 0) return [];
  const counts = outsideNear.map(({ name, places }) => `${name} ${places.toLocaleString('en')}`);
  return [`  Outside destinations, by the nearest settlement: ${counts.join(', ')}.`];
}

function noteLines(report: ImportReport): string[] {
  const { cut, dates } = report;
  const lines: string[] = [];
  if (cut.count > 0) lines.push(`  Texts were shortened at: ${cut.examples.join(', ')}${moreThan(cut)}.`);
  if (dates.count > 0) lines.push(`  Dates were ignored at: ${dates.examples.join(', ')}${moreThan(dates)}.`);
  const { skipped } = report;
  if (skipped.count > 0)
    lines.push('  Lines that were skipped:', ...skipped.examples.map((line) => `    ${line}`));
  if (skipped.count > skipped.examples.length)
    lines.push(`    and ${skipped.count - skipped.examples.length} more`);
  return lines;
}

function moreThan({ count, examples }: { count: number; examples: readonly string[] }): string {
  return count > examples.length ? ' and others' : '';
}

const DESTINATIONS_SHOWN_MAX = 10;

/** Tells an operator who started with the demo that real places have replaced its venues. */
function retiredLines({ retired }: ImportReport): string[] {
  if (retired.length === 0) return [];
  const listed = retired.slice(0, DESTINATIONS_SHOWN_MAX);
  const unlisted = retired.length - listed.length;
  return [
    'Real places were imported, so the fictional venues of the demonstration were removed:',
    ...figureLines(listed.map(({ destination, places }) => [destination, places] as const)),
    ...(unlisted > 0 ? [`  and those of ${unlisted} more destinations`] : []),
  ];
}

export function enrichReportLines(report: EnrichReport): string[] {
  const lines: Line[] = [
    ['rows read', report.read],
    ['matched', report.matched],
    ['unmatched', report.unmatched],
    ['ambiguous', report.ambiguous],
    ['places updated', report.updated],
  ];
  const unusable: Line[] = report.unusable > 0 ? [['rows that cannot be used', report.unusable]] : [];
  return ['Enriched.', ...figureLines([...lines, ...unusable])];
}

function figureLines(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([label]) => label.length));
  const figures = lines.map(([, count]) => count.toLocaleString('en'));
  const figureWidth = Math.max(...figures.map((figure) => figure.length));
  return lines.map(([label], at) => `  ${label.padEnd(width)}  ${(figures[at] ?? '').padStart(figureWidth)}`);
}
