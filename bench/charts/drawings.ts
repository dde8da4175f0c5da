import { bar, byLogarithm, dot, path, picture, short, text } from './svg.ts';

const WIDTH = 720;
const [LABEL_WIDTH, LABEL_HEIGHT] = [195, 15];
const LABEL_OFFSETS = [4, -10, 20, -24, 34];

/** Requests a second, one bar each. Ours stand out. */
export function requestsChart(figures: Record<string, number>): string {
  const all = [
    ['bare', 'bare node:http, same bytes'],
    ['known', 'Waypost, searches that come again'],
    ['workers_2', 'Waypost, new, two processes'],
    ['new', 'Waypost, every search new'],
    ['mcp_new', 'Waypost over MCP, every search new'],
    ['sdk', 'official MCP SDK, same search'],
    ['postgres', 'PostgreSQL at its best, every search new'],
  ] as const;
  const rows = all.filter(([key]) => figures[key] !== undefined);
  const most = Math.max(...rows.map(([key]) => figures[key] ?? 0));
  const marks = rows.flatMap(([key, label], i) => {
    const y = 66 + i * 30;
    const [value, own] = [figures[key] ?? 0, label.startsWith('Waypost')];
    const length = (value / most) * 340;
    return [
      text(290, y + 15, label, `end${own ? ' strong' : ''}`),
      bar(300, y, length, 20, own ? 'own' : 'bar'),
      text(308 + length, y + 15, Math.round(value).toLocaleString('en'), 'muted'),
    ];
  });
  const note = `${short(figures['places'] ?? 0)} places, keys and quotas, one run on one machine; longer is better`;
  return picture('Searches answered in a second', note, WIDTH, 76 + rows.length * 30, marks);
}

/** One small panel for each cost, over the same sizes. */
export function growthChart(sizes: readonly Record<string, number>[]): string {
  const panels = [
    ['new_p99', 'new search, p99 ms'],
    ['memory_mb', 'private memory, MB'],
    ['build_seconds', 'index built, s'],
    ['new_rps', 'new searches a second'],
    ['open_p99', 'open_places, p99 ms'],
    ['start_ms', 'later start, ms'],
  ] as const;
  const places = sizes.map((size) => size['places'] ?? 1);
  const marks = panels.flatMap(([key, label], i) => {
    const [left, top] = [30 + (i % 3) * 232, 78 + Math.floor(i / 3) * 160];
    const [width, height] = [180, 90];
    const values = sizes.map((size) => size[key] ?? 0);
    const x = byLogarithm(Math.min(...places), Math.max(...places), left, left + width);
    const y = (value: number) => top + height - (value / (Math.max(...values) || 1)) * (height - 22);
    const points = values.map((value, at) => [x(places[at] ?? 1), y(value)] as const);
    return [
      text(left, top - 6, label, 'strong'),
      path(
        [
          [left, top + height],
          [left + width, top + height],
        ],
        'axis',
      ),
      path(points, 'line'),
      ...points.flatMap(([px, py], at) => [
        dot(px, py, 'own'),
        text(px, py - 9, short(values[at] ?? 0), 'small middle'),
        text(px, top + height + 16, short(places[at] ?? 0), 'small muted middle'),
      ]),
    ];
  });
  const note =
    'Each size asked about its own places, flat out; ten times the places is one step to the right';
  return picture('How cost grows with the places', note, WIDTH, 400, marks);
}

interface EngineFigures {
  name: string;
  p50: number;
  sets: { first: number }[];
}

/** Right and quick is the upper left corner. */
export function enginesChart(places: number, real: boolean, engines: readonly EngineFigures[]): string {
  const [left, right, top, bottom] = [60, 680, 70, 330];
  const shown = engines.filter(({ name }) => name !== 'Waypost over HTTP');
  const times = shown.map(({ p50 }) => p50);
  const shares = shown.map(({ sets }) => (sets[0]?.first ?? 0) * 100);
  const low = Math.floor((Math.min(...shares) - 5) / 10) * 10;
  const x = byLogarithm(Math.min(...times) / 1.5, Math.max(...times) * 2.5, left, right);
  const y = (share: number) => bottom - ((share - low) / (100 - low)) * (bottom - top);
  const lines = Array.from({ length: (100 - low) / 10 + 1 }, (_, i) => low + i * 10);
  const dots = shown.map(({ p50 }, i) => [x(p50), y(shares[i] ?? 0)] as const);
  const labels: (readonly [number, number])[] = [];
  const marks = [
    ...lines.flatMap((share) => [
      path(
        [
          [left, y(share)],
          [right, y(share)],
        ],
        'axis',
      ),
      text(left - 8, y(share) + 4, `${share} %`, 'small muted end'),
    ]),
    ...shown.flatMap(({ name, p50 }, i) => {
      const [px, py] = dots[i] ?? [0, 0];
      const own = name === 'Waypost';
      // The first height at which the label lies on no other one and on no dot of another engine.
      const free = (offset: number) =>
        labels.every(
          ([lx, ly]) => Math.abs(lx - px) > LABEL_WIDTH || Math.abs(ly - py - offset) > LABEL_HEIGHT,
        ) &&
        dots.every(
          ([ox, oy]) =>
            ox <= px || ox - px > LABEL_WIDTH || Math.abs(oy - py - offset + 4) > LABEL_HEIGHT / 2,
        );
      const offset = LABEL_OFFSETS.find(free) ?? 4;
      labels.push([px, py + offset]);
      return [
        dot(px, py, own ? 'own' : 'bar'),
        text(px + 9, py + offset, `${name}, ${p50.toFixed(2)} ms`, own ? 'strong' : ''),
      ];
    }),
    text(
      (left + right) / 2,
      bottom + 28,
      'median time of a search, logarithmic; to the left is quicker',
      'small muted middle',
    ),
  ];
  const judged = real ? 'of searches judged before any engine was asked' : 'of names of the demonstration';
  const note = `First answer right, ${judged}; ${places.toLocaleString('en')} places`;
  return picture('Relevance and time', note, WIDTH, 380, marks);
}
