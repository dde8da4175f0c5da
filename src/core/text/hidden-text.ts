import { AS_TYPED, typedText, unseenIn } from './visible-text.ts';

/** Where characters that nobody sees were taken out, and what they were, for people who judge what was sent. */
export interface HiddenText {
  /** A JSON pointer. */
  pointer: string;
  /** What the characters say or are, in characters that are seen. */
  said: string;
  count: number;
}

const FOUND_MAX = 10;
const SAID_MAX = 200;

/** What of a value nobody would see, at any depth. */
export function findHiddenText(value: unknown): HiddenText[] {
  const found: HiddenText[] = [];
  look(value, '', found);
  return found.slice(0, FOUND_MAX);
}

function look(value: unknown, pointer: string, found: HiddenText[]): void {
  if (found.length >= FOUND_MAX) return;
  if (typeof value === 'string') {
    const unseen = unseenIn(value);
    if (unseen.length > 0) found.push({ pointer, said: inSight(unseen), count: unseen.length });
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const [name, member] of Object.entries(value))
      if (name !== AS_TYPED) look(member, `${pointer}/${typedText(name)}`, found);
  }
}

/** Tags spell ASCII that only programs read; of everything else the numbers say enough. */
function inSight(unseen: readonly string[]): string {
  const tags = unseen.map(asTag).join('');
  const others = [...new Set(unseen.filter((one) => asTag(one) === ''))];
  const parts = [
    ...(tags === '' ? [] : [`“${tags}”`]),
    ...others.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`),
  ];
  return parts.join(', ').slice(0, SAID_MAX);
}

const [TAG_FIRST, TAG_LAST, TAGS] = [0xe0020, 0xe007e, 0xe0000];

function asTag(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  return code >= TAG_FIRST && code <= TAG_LAST ? String.fromCodePoint(code - TAGS) : '';
}

/** The same as one line of an audit row. */
export function hiddenTextLine(found: readonly HiddenText[]): { hidden_text?: string } {
  if (found.length === 0) return {};
  return { hidden_text: found.map(({ pointer, said }) => `${pointer}: ${said}`).join('; ') };
}
