import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';

interface Bar {
  label: string;
  /** Segments from bottom to top. The kind is a CSS class that sets the colour. */
  parts: readonly { kind: string; value: number }[];
}

const WIDTH = 480;
const HEIGHT = 200;
const TOP = 24;
const FOOT = 28;
const GAP = 0.3;

/** More bars than this are too narrow for a number each: only the highest carries its own. */
const NUMBERED_MAX = 14;

/** Draws a bar chart. Every bar carries its number if there are few, and the description for screen readers lists all values. */
export function barChart(model: {
  title: string;
  caption: string;
  /** Text shown when every bar is zero. */
  empty: string;
  bars: readonly Bar[];
  every?: number;
  /** Writes a value, such as an amount of money. */
  format?: (value: number) => string;
}): Html {
  const { title, caption, empty, bars, every = 1, format = formatNumber } = model;
  if (bars.every((bar) => total(bar) === 0))
    return html`<figure class="chart">
      <figcaption><strong>${title}</strong> ${empty}</figcaption>
    </figure>`;
  const highest = Math.max(1, ...bars.map(total));
  const step = WIDTH / Math.max(1, bars.length);
  return html`<figure class="chart">
    <figcaption><strong>${title}</strong> ${caption}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${describe(title, bars, format)}">
      <path class="axis" d="M0 ${HEIGHT - FOOT}H${WIDTH}" />
      ${bars.map((bar, index) =>
        column(bar, index, step, highest, {
          format,
          named: index % every === 0,
          numbered: bars.length <= NUMBERED_MAX || bar === bars.find((one) => total(one) === highest),
        }),
      )}
    </svg>
  </figure>`;
}

function column(
  bar: Bar,
  index: number,
  step: number,
  highest: number,
  { format, named, numbered }: { format: (value: number) => string; named: boolean; numbered: boolean },
): Html {
  const scale = (HEIGHT - FOOT - TOP) / highest;
  const x = index * step + (step * GAP) / 2;
  const width = step * (1 - GAP);
  // The first and the last text are aligned with the outer edge of their bar, so that the image does not cut them.
  const isLast = (index + 1) * step > WIDTH - 1;
  const at: { x: number; anchor: Anchor } =
    index === 0
      ? { x, anchor: 'start' }
      : isLast
        ? { x: x + width, anchor: 'end' }
        : { x: x + width / 2, anchor: 'middle' };
  let foot = HEIGHT - FOOT;
  const rects = bar.parts.map(({ kind, value }) => {
    const height = value * scale;
    foot -= height;
    return html`<rect
      class="bar ${kind}"
      x="${x.toFixed(1)}"
      y="${foot.toFixed(1)}"
      width="${width.toFixed(1)}"
      height="${height.toFixed(1)}"
    />`;
  });
  const sum = total(bar);
  return html`${rects} ${sum > 0 && numbered && label(format(sum), foot - 6, at)}
  ${named && label(bar.label, HEIGHT - 8, at)}`;
}

type Anchor = 'start' | 'middle' | 'end';

/** Draws a text over or under a bar. */
function label(text: string, y: number, { x, anchor }: { x: number; anchor: Anchor }): Html {
  return html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;
}

function total({ parts }: Bar): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

function describe(title: string, bars: readonly Bar[], format: (value: number) => string): string {
  const items = bars.map((bar) => {
    const parts = bar.parts.map(({ kind, value }) => `${format(value)} ${kind}`.trim());
    return `${bar.label}: ${parts.join(', ')}`;
  });
  return `${title}. ${items.join('; ')}.`;
}
