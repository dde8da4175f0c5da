import { held, type Measured } from '../measure.ts';

/** A figure with its bar. Without a value it was not measured, and the table says so. */
export interface Bar {
  what: string;
  value: number | undefined;
  bar: number;
  side: 'at least' | 'at most';
  unit?: string;
}

/** The table of what was promised: every figure beside its bar, and a bar that was missed stands out. */
export function barTable(bars: readonly Bar[]): string[] {
  return [
    '| figure | measured | bar |',
    '|---|--:|---|',
    ...bars.map(({ what, value, bar, side, unit = '' }) =>
      value === undefined
        ? `| ${what} | not measured | bar: ${side} ${bar.toLocaleString('en')} |`
        : `| ${what} | **${number(value)}**${unit} | ${held(value, bar, side)} |`,
    ),
  ];
}

export function number(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function throughputTable(rows: readonly Measured[]): string[] {
  return [
    '| server | requests/s | CPU µs a request | p50 ms | p99 ms | driver CPU |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows.map(
      (row) =>
        `| ${row.name} | ${number(Math.round(row.requestsPerSecond))} | ${number(Math.round(row.cpuMicroseconds))} | ${row.p50Ms.toFixed(1)} | ${row.p99Ms.toFixed(1)} | ${Math.round(row.driverCpu * 100)} % |`,
    ),
  ];
}

/** Both ways to compare two servers: by what they answer in a second, and by the processor time of an answer. */
export function ratios(
  what: string,
  own: Measured,
  other: Measured,
  bar: number,
  ways: 'both' | 'throughput' = 'both',
): Bar[] {
  const byThroughput: Bar = {
    what: `${what}, by throughput`,
    value: own.requestsPerSecond / other.requestsPerSecond,
    ...{ bar, side: 'at least' },
  };
  const byCpu: Bar = {
    what: `${what}, by CPU time`,
    value: other.cpuMicroseconds / own.cpuMicroseconds,
    ...{ bar, side: 'at least' },
  };
  return ways === 'both' ? [byThroughput, byCpu] : [byThroughput];
}
