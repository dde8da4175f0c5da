const FIELD = '\u001f';
const NOTHING = '\u001e';

/** A column. A row is read either by columns or as one text, which is twice as fast. */
export interface Column<Value> {
  sql: string;
  /** SQL for its text, which is never null. */
  textSql: string;
  parse: (text: string) => Value;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<Declared extends Columns> = {
  [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never;
};

export function textColumn<Text extends string = string>(sql: string): Column<Text> {
  return { sql, textSql: sql, parse: (text) => text as Text };
}

export function numberColumn(sql: string): Column<number> {
  return { sql, textSql: sql, parse: Number };
}

export function booleanColumn(sql: string): Column<boolean> {
  return { sql, textSql: sql, parse: (text) => text === 't' };
}

export function dateColumn(sql: string): Column<Date> {
  const textSql = `floor(extract(epoch from ${sql}) * 1000)`;
  return { sql, textSql, parse: (text) => new Date(Number(text)) };
}

export function jsonColumn<Value>(sql: string): Column<Value> {
  const parse = (text: string): unknown => (text === '{}' ? {} : text === '[]' ? [] : JSON.parse(text));
  return { sql, textSql: sql, parse: parse as (text: string) => Value };
}

const MEMBER = /"((?:[^"\\]|\\.)*)"|([^,]+)/gs;

export function listColumn(sql: string): Column<string[]> {
  const parse = (text: string) => {
    const members = text.slice(1, -1);
    if (members === '') return [];
    if (!members.includes('"')) return members.split(',');
    return Array.from(
      members.matchAll(MEMBER),
      ([, quoted, plain = '']) => quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain,
    );
  };
  return { sql, textSql: sql, parse };
}

export function orNull<Value>({ sql, textSql, parse }: Column<Value>): Column<Value | null> {
  return { sql, textSql: `coalesce((${textSql})::text, E'\\x1e')`, parse };
}

/** SQL that selects the columns. */
export function columnsSql(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, { sql }]) => `${sql} as ${name}`)
    .join(', ');
}

/** SQL for the row as one text. */
export function rowTextSql(columns: Columns): string {
  return `concat_ws(E'\\x1f', ${Object.values(columns)
    .map(({ textSql }) => textSql)
    .join(', ')})`;
}

/** Returns a parser of row texts. It returns undefined for a value with the separator: read that row by columns. */
export function rowParser<Declared extends Columns>(
  columns: Declared,
): (text: string) => RowOf<Declared> | undefined {
  const declared = Object.entries(columns).map(([name, { parse }]) => ({ name, parse }));
  // Assigning to the copy of an object that has all members is faster than adding them one by one.
  const empty = Object.fromEntries(declared.map(({ name }) => [name, undefined as unknown]));
  return (text) => {
    const fields = text.split(FIELD);
    if (fields.length !== declared.length) return undefined;
    const row = { ...empty };
    let at = 0;
    for (const { name, parse } of declared) {
      const field = fields[at++] ?? '';
      row[name] = field === NOTHING ? null : parse(field);
    }
    return row as RowOf<Declared>;
  };
}

/** The first field of a row text. */
export function firstField(text: string): string {
  return text.slice(0, text.indexOf(FIELD));
}
