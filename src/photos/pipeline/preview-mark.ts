/** Strokes of PREVIEW on a grid of 4 by 6 per letter, so that the mark needs no font of the machine. */
const LETTERS = [
  'M0 6V0H2.6Q4 0 4 1.6T2.6 3.2H0',
  'M0 6V0H2.6Q4 0 4 1.6T2.6 3.2H0M2.2 3.2L4 6',
  'M4 0H0V6H4M0 3H3.2',
  'M0 0L2 6L4 0',
  'M2 0V6',
  'M4 0H0V6H4M0 3H3.2',
  'M0 0L1 6L2 2L3 6L4 0',
];
const LETTER_STEP = 6;
const WORD_WIDTH = LETTERS.length * LETTER_STEP - 2;
const WORD_HEIGHT = 6;
/** Fractions of the width: of the word, and of the margin around it. */
const WORD_SHARE = 0.13;
const MARGIN_SHARE = 0.025;

/**
 * Returns an SVG with PREVIEW once, small, at the lower right: the picture can be looked at, and the copy says that it is
 * not the licensed file. White with a dark edge is visible on any background.
 */
export function previewMark(width: number, height: number): Buffer {
  const scale = (width * WORD_SHARE) / WORD_WIDTH;
  const margin = width * MARGIN_SHARE;
  const strokes = LETTERS.map(
    (letter, index) => `<path transform="translate(${index * LETTER_STEP} 0)" d="${letter}"/>`,
  ).join('');
  const [x, y] = [width - margin - WORD_WIDTH * scale, height - margin - WORD_HEIGHT * scale];
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<g transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">` +
      `<g stroke="#000" stroke-opacity="0.35" stroke-width="2">${strokes}</g>` +
      `<g stroke="#fff" stroke-opacity="0.85" stroke-width="0.9">${strokes}</g></g></svg>`,
  );
}
