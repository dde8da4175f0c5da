type Parse = (text: string) => unknown;

const date: Parse = (text) => new Date(text);
const json: Parse = (text) => JSON.parse(text);
const bytes: Parse = (text) => Buffer.from(text.slice(2), 'hex');
const truth: Parse = (text) => text === 't';
const same: Parse = (text) => text;

// Type oids with those of their arrays. Others, also bigint and numeric, are returned as PostgreSQL's text.
const TYPES: readonly (readonly [type: number, array: number, parse: Parse])[] = [
  [16, 1000, truth],
  [17, 1001, bytes],
  [20, 1016, same],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, same],
  [26, 1028, Number],
  [114, 199, json],
  [700, 1021, Number],
  [701, 1022, Number],
  [1042, 1014, same],
  [1043, 1015, same],
  [1082, 1182, date],
  [1114, 1115, date],
  [1184, 1185, date],
  [1700, 1231, same],
  [2950, 2951, same],
  [3802, 3807, json],
];

const MEMBER = /"((?:[^"\\]|\\.)*)"|([^,{}]+)|([{}])/gs;

function parseArray(text: string, parse: Parse): unknown[] {
  const whole: unknown[][] = [[]];
  for (const [, quoted, bare, brace] of text.matchAll(MEMBER)) {
    if (brace === '{') {
      const inner: unknown[] = [];
      whole.at(-1)?.push(inner);
      whole.push(inner);
    } else if (brace === '}') whole.pop();
    else if (quoted !== undefined) whole.at(-1)?.push(parse(quoted.replaceAll(/\\(.)/gs, '$1')));
    else whole.at(-1)?.push(bare === 'NULL' ? null : parse(bare ?? ''));
  }
  return whole[0]?.[0] as unknown[];
}

const PARSERS = new Map(
  TYPES.flatMap(([type, array, parse]) => [
    [type, parse] as const,
    [array, (text: string) => parseArray(text, parse)] as const,
  ]),
);

export const columnTypes = { getTypeParser: (type: number): Parse => PARSERS.get(type) ?? same };
