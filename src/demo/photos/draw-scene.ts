import data from './scenes.json' with { type: 'json' };
import { SeededRandom } from '../demo-random.ts';

export type SceneKind = 'coast' | 'hills' | 'city' | 'lanterns';

const WIDTH = 2400;
const HEIGHT = 1600;
/** Output scale: large enough to license, small enough that drawing all photos takes seconds. */
const SCALE = 0.75;
const QUALITY = 90;

/** Colours of the sky from top to horizon, of the sun or moon, of land from far to near, and of water. */
interface Palette {
  sky: readonly [string, string, string];
  light: string;
  land: readonly [string, string, string];
  water: readonly [string, string];
  night: boolean;
}

const PALETTES = data.palettes as unknown as readonly Palette[];

/** Draws a generated picture without people. The same seed gives the same picture. */
export async function drawScene(kind: SceneKind, seed: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(sceneMarkup(kind, seed)))
    .flatten({ background: '#000' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

function sceneMarkup(kind: SceneKind, seed: number): string {
  const random = new SeededRandom();
  random.restart(seed, 0x9407);
  const palette = random.pick(PALETTES.filter(({ night }) => kind !== 'lanterns' || night));
  const horizon = HEIGHT * (0.5 + random.unit() * 0.12);
  const body = { coast, hills, city, lanterns }[kind](random, palette, horizon);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH * SCALE}" height="${HEIGHT * SCALE}"><defs>${gradients(palette)}</defs>
    <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>${skyObjects(random, palette, horizon)}${body}</svg>`;
}

function gradients({ sky, light, water }: Palette): string {
  return `<linearGradient id="sky" x2="0" y2="0.72"><stop stop-color="${sky[0]}"/><stop offset="0.6" stop-color="${sky[1]}"/>
    <stop offset="1" stop-color="${sky[2]}"/></linearGradient>
    <linearGradient id="water" x2="0" y2="1"><stop stop-color="${water[0]}"/><stop offset="1" stop-color="${water[1]}"/></linearGradient>
    <radialGradient id="glow"><stop stop-color="${light}" stop-opacity="0.95"/><stop offset="0.25" stop-color="${light}" stop-opacity="0.45"/>
    <stop offset="1" stop-color="${light}" stop-opacity="0"/></radialGradient>`;
}

function skyObjects(random: SeededRandom, { light, night }: Palette, horizon: number): string {
  const x = random.between(WIDTH * 0.2, WIDTH * 0.8);
  const y = horizon * (0.35 + random.unit() * 0.4);
  const radius = random.between(70, 120);
  const stars = night
    ? times(160, () =>
        circle(random.below(WIDTH), random.below(horizon), 1 + random.unit() * 2.2, '#fff', 0.7),
      )
    : '';
  const clouds = times(random.between(3, 6), () => {
    const [cx, cy] = [random.below(WIDTH), horizon * (0.15 + random.unit() * 0.6)];
    return times(7, () => {
      const [dx, dy] = [random.between(-220, 220), random.between(-16, 16)];
      const [rx, ry] = [random.between(90, 210), random.between(12, 30)];
      return `<ellipse cx="${cx + dx}" cy="${cy + dy}" rx="${rx}" ry="${ry}" fill="${light}" fill-opacity="0.09"/>`;
    });
  });
  return `${stars}<circle cx="${x}" cy="${y}" r="${radius * 5}" fill="url(#glow)"/>${circle(x, y, radius, light, 1)}${clouds}`;
}

/** Draws a line of hills from the left edge to the right, filled down to the bottom. */
function ridge(random: SeededRandom, base: number, height: number, fill: string): string {
  const waves = Array.from({ length: 5 }, (_, n) => ({
    length: (WIDTH / (n + 1)) * (0.6 + random.unit()),
    size: height / (n + 1.4),
    shift: random.unit() * 9,
  }));
  let path = `M0 ${HEIGHT}`;
  for (let x = 0; x <= WIDTH; x += 24) {
    const lift = waves.reduce(
      (sum, { length, size, shift }) => sum + Math.sin((x / length) * 6.28 + shift) * size,
      0,
    );
    path += `L${x} ${(base - height * 0.8 - lift * 0.6).toFixed(1)}`;
  }
  return `<path d="${path}L${WIDTH} ${HEIGHT}Z" fill="${fill}"/>`;
}

function glitter(random: SeededRandom, top: number, bottom: number, colour: string, amount: number): string {
  return times(amount, () => {
    const depth = random.unit();
    const y = top + (bottom - top) * depth * depth;
    const width = 20 + 260 * depth;
    const x = WIDTH * 0.5 + random.bell() * WIDTH * 0.55;
    return `<rect x="${x - width / 2}" y="${y}" width="${width}" height="${1 + depth * 5}" rx="3" fill="${colour}" fill-opacity="${0.12 + 0.25 * random.unit()}"/>`;
  });
}

function coast(random: SeededRandom, { land, light, water, night }: Palette, horizon: number): string {
  const shore = HEIGHT * 0.83;
  const sand = night ? '#3c3a52' : '#e7cfa2';
  const bend = random.between(-120, 120);
  return `${ridge(random, horizon + 60, 130, land[0])}
    <rect y="${horizon}" width="${WIDTH}" height="${HEIGHT - horizon}" fill="url(#water)"/>
    ${glitter(random, horizon, shore, light, 260)}
    <path d="M0 ${shore + bend}Q${WIDTH / 2} ${shore - bend - 60} ${WIDTH} ${shore + 40}V${HEIGHT}H0Z" fill="${water[0]}" fill-opacity="0.7"/>
    <path d="M0 ${shore + bend + 26}Q${WIDTH / 2} ${shore - bend - 30} ${WIDTH} ${shore + 70}V${HEIGHT}H0Z" fill="${sand}"/>
    ${times(random.between(2, 4), () => palm(random, random.chance(0.5) ? random.between(60, 560) : random.between(1840, 2340), land[2]))}`;
}

function palm(random: SeededRandom, x: number, colour: string): string {
  const [foot, head] = [HEIGHT - random.between(0, 120), random.between(380, 640)];
  const lean = random.between(-170, 170);
  const leaves = times(9, (n) => {
    const angle = -3.6 + n * 0.52 + random.unit() * 0.2;
    const length = random.between(210, 320);
    const [tipX, tipY] = [x + lean + Math.cos(angle) * length, head + Math.sin(angle) * length * 0.55 + 130];
    const [bendX, bendY] = [
      x + lean + Math.cos(angle) * length * 0.6,
      head + Math.sin(angle) * length * 0.75 - 30,
    ];
    return `<path d="M${x + lean} ${head}Q${bendX} ${bendY} ${tipX} ${tipY}Q${bendX} ${bendY + 42} ${x + lean} ${head}" fill="${colour}"/>`;
  });
  return `<path d="M${x} ${foot}Q${x + lean * 0.2} ${(foot + head) / 2} ${x + lean} ${head}" stroke="${colour}" stroke-width="26" fill="none"/>${leaves}`;
}

function hills(random: SeededRandom, { land, sky }: Palette, horizon: number): string {
  const layers = [land[0], land[1], land[2]];
  return times(6, (n) => {
    const colour = layers[Math.floor(n / 2)] ?? land[2];
    const mist = `<rect y="${horizon + n * 110}" width="${WIDTH}" height="120" fill="${sky[2]}" fill-opacity="0.10"/>`;
    return ridge(random, horizon + 80 + n * 165, 190 - n * 18, colour) + mist;
  });
}

function city(random: SeededRandom, { land, light, night }: Palette, horizon: number): string {
  const quay = HEIGHT * 0.72;
  const rows = times(3, (row) => {
    let buildings = '';
    for (let x = -40; x < WIDTH; x += random.between(70, 170)) {
      const [width, height] = [random.between(80, 190), random.between(140, 430) - row * 70];
      const top = quay - Math.max(60, height) - (2 - row) * 60;
      buildings += `<rect x="${x}" y="${top}" width="${width}" height="${quay - top}" fill="${land[row] ?? land[2]}"/>`;
      if (row > 0) buildings += windows(random, x, top, width, quay, night ? 0.55 : 0.2, light);
    }
    return buildings;
  });
  return `${ridge(random, horizon + 40, 110, land[0])}${rows}
    <rect y="${quay}" width="${WIDTH}" height="${HEIGHT - quay}" fill="url(#water)"/>${glitter(random, quay, HEIGHT, light, 220)}`;
}

function windows(
  random: SeededRandom,
  x: number,
  top: number,
  width: number,
  bottom: number,
  lit: number,
  light: string,
): string {
  let panes = '';
  for (let wy = top + 16; wy < bottom - 20; wy += 30)
    for (let wx = x + 12; wx < x + width - 16; wx += 26)
      if (random.chance(lit))
        panes += `<rect x="${wx}" y="${wy}" width="12" height="16" fill="${light}" fill-opacity="0.75"/>`;
  return panes;
}

function lanterns(random: SeededRandom, { land, light }: Palette, horizon: number): string {
  const walls = times(2, (side) => {
    const x = side === 0 ? 0 : WIDTH * 0.68;
    return `<rect x="${x}" y="${horizon * 0.35}" width="${WIDTH * 0.32}" height="${HEIGHT}" fill="${land[2]}"/>${windows(random, x + 60, horizon * 0.42, WIDTH * 0.2, HEIGHT * 0.8, 0.4, '#ffcf7a')}`;
  });
  const strings = times(5, (n) => {
    const y = 200 + n * 150;
    const sag = random.between(90, 190);
    const lamps = times(13, (k) => {
      const t = (k + 0.5) / 13;
      const [lx, ly] = [WIDTH * t, y + 4 * sag * t * (1 - t)];
      const colour = random.pick(['#ffb84d', '#ff7a59', '#ffd98a', '#ff9e6b']);
      const size = 18 + n * 5;
      return `<circle cx="${lx}" cy="${ly + 22}" r="${size * 4}" fill="url(#glow)" fill-opacity="0.5"/><ellipse cx="${lx}" cy="${ly + 26}" rx="${size}" ry="${size * 1.25}" fill="${colour}"/>`;
    });
    return `<path d="M0 ${y}Q${WIDTH / 2} ${y + sag * 2} ${WIDTH} ${y}" stroke="#0c0d16" stroke-width="5" fill="none"/>${lamps}`;
  });
  const ground = `<path d="M0 ${HEIGHT}L${WIDTH * 0.32} ${HEIGHT * 0.8}H${WIDTH * 0.68}L${WIDTH} ${HEIGHT}Z" fill="${land[1]}"/>`;
  return `${ridge(random, horizon + 120, 150, land[0])}${walls}${ground}${glitter(random, HEIGHT * 0.8, HEIGHT, light, 120)}${strings}`;
}

function circle(x: number, y: number, radius: number, fill: string, opacity: number): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" fill-opacity="${opacity}"/>`;
}

function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}
