import { AS_TYPED, typedText, invisibleCharacters } from './visible-text.ts';

/** The location of removed invisible characters, and their content, for reviewers. */
export interface HiddenText {
  pointer: string;
  /** The text or code points of the characters, in visible form. */
  said: string;
  count: number;
}

const FOUND_MAX = 10;
const SAID_MAX = 200;

export function findHiddenText(value: unknown): HiddenText[] {
  const findings: HiddenText[] = [];
  collect(value, '', findings);
  return findings.slice(0, FOUND_MAX);
}

function collect(value: unknown, pointer: string, findings: HiddenText[]): void {
  if (findings.length >= FOUND_MAX) return;
  if (typeof value === 'string') {
    const unseen = invisibleCharacters(value);
    if (unseen.length > 0) findings.push({ pointer, said: madeVisible(unseen), count: unseen.length });
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const [name, member] of Object.entries(value))
      if (name !== AS_TYPED) collect(member, `${pointer}/${typedText(name)}`, findings);
  }
}

/** Tag characters spell ASCII that only programs read; all others are given as code points. */
function madeVisible(unseen: readonly string[]): string {
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

export function hiddenTextLine(findings: readonly HiddenText[]): { hidden_text?: string } {
  if (findings.length === 0) return {};
  return { hidden_text: findings.map(({ pointer, said }) => `${pointer}: ${said}`).join('; ') };
}
