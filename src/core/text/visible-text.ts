/** Characters that a reader does not see but a program reads. Visible signs of category Cf are excluded. */
const UNSEEN =
  /[[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v;

/** Letters and signs that change form before a joiner: of the Arabic and Syriac family, and of Indic scripts. */
const JOINING = `[[[${[
  'Arab Syrc Mand Mong Nkoo Adlm Rohg',
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Newa Tirh Gran Mtei',
  'Khmr Mymr Tibt Lana Bali Java',
]
  .flatMap((scripts) => scripts.split(' '))
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]&&[\\p{L}\\p{M}]]--\\p{Default_Ignorable_Code_Point}]`;

const ENGLAND = '\\u{e0065}\\u{e006e}\\u{e0067}';
const SCOTLAND = '\\u{e0073}\\u{e0063}\\u{e0074}';
const WALES = '\\u{e0077}\\u{e006c}\\u{e0073}';

/** Contexts that need such a character, once each after its base, so that a sequence cannot carry text. */
const NEEDED = [
  `(?<=${JOINING})[\\u200c\\u200d]`,
  '(?<=\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  `\\u{1f3f4}\\u{e0067}\\u{e0062}(?:${ENGLAND}|${SCOTLAND}|${WALES})\\u{e007f}`,
  // Variants of Chinese characters in names of people and places, and of Mongolian letters; Hebrew accents.
  '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e011f}]',
  '(?<=[\\p{sc=Mong}--\\p{Default_Ignorable_Code_Point}])[\\u180b-\\u180f]',
  '(?<=\\p{scx=Hebr})\\u034f',
];

const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED.join('|')})|${UNSEEN.source}`, 'gv');
const SEEN_FORM: Readonly<Record<string, string>> = { '\u2028': '\n', '\u2029': '\n', '\u2800': ' ' };

/** Removes invisible characters. Joiners and selectors stay where a script or an emoji needs them. */
export function visibleText(text: string): string {
  if (!UNSEEN.test(text)) return text;
  return text.replace(
    NEEDED_OR_UNSEEN,
    (piece, needed: string | undefined) => needed ?? SEEN_FORM[piece] ?? '',
  );
}

export function invisibleCharacters(text: string): string[] {
  if (!UNSEEN.test(text)) return [];
  return [...text.matchAll(NEEDED_OR_UNSEEN)].flatMap(([piece, needed]) =>
    needed === undefined ? [piece] : [],
  );
}

// Tab, newline and carriage return are part of ordinary text; PostgreSQL cannot store the first of the others at all.
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/** Returns text as a person could have typed it: also without control characters and lone surrogates. */
export function typedText(text: string): string {
  return visibleText(text).replaceAll(CONTROL, '').toWellFormed();
}

/** Cuts typed text to a length. The cut leaves no invisible part of a character or an emoji. */
export function cutTyped(text: string, max: number): string {
  return text.length <= max ? text : typedText(text.slice(0, max));
}

const UNTIDY = /^\s|\s$|[^\S ]|\s{2}/;

export function oneLine(text: string): string {
  const visible = visibleText(text);
  return UNTIDY.test(visible) ? visible.replace(/\s+/g, ' ').trim() : visible;
}

/** Name of the form field that is not cleaned: a password is compared and never shown. */
export const AS_TYPED = 'password';

/** Removes invisible characters from every text in a value, at any depth. An unchanged value is returned itself. */
export function visibleMembers<Value>(value: Value): Value {
  return visibleIn(value) as Value;
}

function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const members = value.map(visibleIn);
    return members.some((member, at) => member !== value[at]) ? members : value;
  }
  return isPlain(value) ? visibleEntries(value) : value;
}

function visibleEntries(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(entries)) {
    const visible = name === AS_TYPED ? entries[name] : visibleIn(entries[name]);
    if (visible !== entries[name]) (changed ??= { ...entries })[name] = visible;
  }
  return changed ?? entries;
}

/** False for bytes and dates, which contain no text. */
function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
