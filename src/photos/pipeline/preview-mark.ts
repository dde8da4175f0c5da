/** Strokes of the letters on a grid of 4 by 6, so that the watermark needs no font of the machine. */
const LETTERS: Readonly<Record<string, string>> = {
  P: 'M0 6V0H2.6Q4 0 4 1.6T2.6 3.2H0',
  R: 'M0 6V0H2.6Q4 0 4 1.6T2.6 3.2H0M2.2 3.2L4 6',
  E: 'M4 0H0V6H4M0 3H3.2',
  V: 'M0 0L2 6L4 0',
  I: 'M2 0V6',
  W: 'M0 0L1 6L2 2L3 6L4 0',
};
const WORD = ['P', 'R', 'E', 'V', 'I', 'E', 'W'];
const LETTER_STEP = 6;
const WORD_WIDTH = WORD.length * LETTER_STEP;
const WORD_HEIGHT = 6;
/** Fraction of the width that one word takes. */
const WORD_SHARE = 0.26;

/** Returns an SVG with PREVIEW all over it, light with a dark edge, to be visible on any background. */
export function previewMark(width: number, height: number): Buffer {
  const scale = (Math.max(width, height) * WORD_SHARE) / WORD_WIDTH;
  const tileWidth = WORD_WIDTH * scale * 1.6;
  const tileHeight = WORD_HEIGHT * scale * 8;
  const strokes = WORD.map(
    (letter, index) => `<path transform="translate(${index * LETTER_STEP} 0)" d="${LETTERS[letter] ?? ''}"/>`,
  ).join('');
  const word = (x: number, y: number) =>
    `<g transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">` +
    `<g stroke="#000" stroke-opacity="0.25" stroke-width="1.5">${strokes}</g>` +
    `<g stroke="#fff" stroke-opacity="0.5" stroke-width="0.8">${strokes}</g></g>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<pattern id="mark" width="${tileWidth}" height="${tileHeight}" patternUnits="userSpaceOnUse" patternTransform="rotate(-24)">` +
      word(0, scale * 2) +
      word(tileWidth / 2, tileHeight / 2 + scale * 2) +
      word(-tileWidth / 2, tileHeight / 2 + scale * 2) +
      `</pattern><rect width="100%" height="100%" fill="url(#mark)"/></svg>`,
  );
}
