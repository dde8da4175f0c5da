// Light and dark from one file: a picture in a README follows the reader's own setting.
const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .small { font-size: 11px }
  .muted { fill: #59636e }
  .strong { font-weight: 600 }
  .end { text-anchor: end }
  .middle { text-anchor: middle }
  .bar { fill: #afb8c1 }
  .own { fill: #0b6e4f }
  .axis { stroke: #d1d9e0; fill: none }
  .line { stroke: #0b6e4f; stroke-width: 2; fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .muted { fill: #9198a1 }
    .bar { fill: #59636e }
    .own { fill: #3fb68b }
    .axis { stroke: #3d444d }
    .line { stroke: #3fb68b }
  }`;

/** A whole picture. Its title is read aloud where it is not seen. */
export function picture(title: string, note: string, width: number, height: number, marks: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escape(title)}</title>
<style>${STYLE}
</style>
${text(16, 26, title, 'title')}
${text(16, 46, note, 'small muted')}
${marks.join('\n')}
</svg>
`;
}

export function text(x: number, y: number, content: string, classes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}"${classes === '' ? '' : ` class="${classes}"`}>${escape(content)}</text>`;
}

export function bar(x: number, y: number, width: number, height: number, classes: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(1, width))}" height="${height}" rx="3" class="${classes}"/>`;
}

export function dot(x: number, y: number, classes: string): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="5" class="${classes}"/>`;
}

export function path(points: readonly (readonly [number, number])[], classes: string): string {
  const steps = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`);
  return `<path d="${steps.join(' ')}" class="${classes}"/>`;
}

/** Places a value between two ends by its logarithm, so that ten times as much is always the same step. */
export function byLogarithm(low: number, high: number, from: number, to: number): (value: number) => number {
  const [start, end] = [Math.log10(low), Math.log10(high)];
  return (value) => from + ((Math.log10(value) - start) / (end - start || 1)) * (to - from);
}

/** 27,000 as 27 k, for the room that a label has. */
export function short(value: number): string {
  if (value >= 1e6) return `${trim(value / 1e6)} M`;
  if (value >= 1e4) return `${trim(value / 1e3)} k`;
  return value >= 100 ? Math.round(value).toLocaleString('en') : trim(value);
}

function trim(value: number): string {
  return String(Number(value.toPrecision(2)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
