import fc from 'fast-check';

/** A tag that is no tag of ours: where a page has it as markup, somebody's text became part of the page. */
export const TAG = 'zq7tag';
/** The result of the sums below if a template language evaluates them. */
export const SUM = 'zq1337';

const INJECTIONS = [
  `'; drop table agent; --`,
  `' or '1'='1`,
  `1) union select email from agent --`,
  `\\'; select pg_sleep(9); --`,
  `<${TAG} src=x onerror=alert(1)>`,
  `"><${TAG}>`,
  `'><${TAG} x='`,
  `</script><${TAG}>`,
  `</textarea><${TAG}>`,
  `javascript:alert(1)`,
  `zq{{7*191}}`,
  'zq${7*191}',
  `zq<%= 7*191 %>`,
  `../../../../../../etc/passwd`,
  `..%2f..%2f..%2fetc%2fpasswd`,
  `/etc/passwd\0.png`,
  `file:///etc/passwd`,
  `http://127.0.0.1:1/`,
  `http://169.254.169.254/latest/meta-data/`,
  `https://[::1]/`,
  `//evil.example/`,
  `/\\evil.example`,
  `x\r\nSet-Cookie: zq7=1`,
  `x\nBcc: everybody@evil.example`,
  `%s%s%n%x`,
  `$(reboot)`,
  '`reboot`',
  `__proto__`,
  `constructor`,
  `toString`,
  `*`,
  `%`,
  `_`,
  `\\`,
  `{}`,
  `[]`,
  `null`,
  `undefined`,
];

const STRANGE_CHARACTERS = [
  '\u0000',
  'a\u0000b',
  '\u0001\u0007\u001b[31m\u007f\u0085',
  'in\u200bvis\u2060ible\ufeff',
  '\u202eesrever\u202c',
  '\u2066isolated\u2069',
  `tags${Array.from('ignore', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}`,
  'a\u2028b\u2029c',
  '\u2800\u3164\u115f',
  'soft\u00adhyphen',
  '\ud800',
  '\udfff\ud800',
  '\ufffe\uffff',
  '\u{10ffff}',
  `Z${'\u0301'.repeat(60)}algo`,
  'می‌خواهم',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'İıŞşßﬁ',
  '１２３',
  '٣٤٥',
  ' \t ',
  '\n\n\n',
];

const EDGES = [
  '',
  '0',
  '-1',
  '-0',
  '1e309',
  '1e-9',
  'NaN',
  'Infinity',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '275760-09-13',
  '24:00',
  '25:61',
  '2026-11-14T12:00:00+99:99',
  'true',
  '+0',
  '+99999999999999999999',
  'a@b',
  'x'.repeat(65),
  'x'.repeat(300),
  'é'.repeat(2_100),
  '𝒳'.repeat(1_001),
  'a '.repeat(5_000),
  '9'.repeat(400),
];

/** Text that somebody sends who means no good, or who never tried. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...INJECTIONS) },
  { weight: 4, arbitrary: fc.constantFrom(...STRANGE_CHARACTERS) },
  { weight: 3, arbitrary: fc.constantFrom(...EDGES) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...INJECTIONS), fc.constantFrom(...STRANGE_CHARACTERS))
      .map((two) => two.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
);

/** Any JSON where a field had something to say. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 31, -(2 ** 53), 1e308, ''),
  },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 2, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], {}, [[[[]]]], { lat: {}, lng: [] }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
      hostileText,
      { maxKeys: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.nat(40).map(nested) },
);

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
