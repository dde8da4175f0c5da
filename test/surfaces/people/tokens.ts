import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export type Tokens = Record<string, string>;

/** The colours of both themes, read from the stylesheet itself. Dark is light with what it overrides. */
export function readTokens(): { light: Tokens; dark: Tokens } {
  const source = readFileSync(
    new URL('../../../src/surfaces/people/assets/site/tokens.css', import.meta.url),
    'utf8',
  );
  const [before = '', after = ''] = source.split('@media screen and (prefers-color-scheme: dark)');
  const light = coloursIn(before);
  return { light, dark: { ...light, ...coloursIn(after.split('@media')[0] ?? '') } };
}

function coloursIn(source: string): Tokens {
  return Object.fromEntries(
    [...source.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [
      name,
      colour,
    ]),
  );
}

/** The contrast ratio of WCAG 2.2 between two tokens. */
export function contrast(tokens: Tokens, foreground: string, background: string): number {
  const [a, b] = [foreground, background].map((name) =>
    luminance(tokens[name] ?? assert.fail(`no token ${name}`)),
  );
  return (Math.max(a ?? 0, b ?? 0) + 0.05) / (Math.min(a ?? 0, b ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
