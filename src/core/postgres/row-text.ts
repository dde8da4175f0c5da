const FIELD = '\u001f';
const NOTHING = '\u001e';

/**
 * Builds SQL for a row as one text, which takes half as long to read as separate columns. Wrap nullables in
 * orNothing.
 */
export function rowTextSql(columns: readonly string[]): string {
  return `concat_ws(E'\\x1f', ${columns.join(', ')})`;
}

export function orNothing(sql: string): string {
  return `coalesce(${sql}, E'\\x1e')`;
}

const MEMBER = /"((?:[^"\\]|\\.)*)"|([^,]+)/gs;

/** Reads the columns of a row text in order. */
export class RowText {
  readonly #fields: string[];
  #next = 0;

  private constructor(fields: string[]) {
    this.#fields = fields;
  }

  /** Returns the first column of a row text, which is an id. */
  static idOf(text: string): string {
    return text.slice(0, text.indexOf(FIELD));
  }

  /**
   * Splits a row text. The author of a name may have put a separator into it. Then there are more fields than
   * columns, and undefined means that the row must be read by its columns.
   */
  static of(text: string, columns: number): RowText | undefined {
    const fields = text.split(FIELD);
    return fields.length === columns ? new RowText(fields) : undefined;
  }

  text(): string {
    return this.#fields[this.#next++] ?? '';
  }

  orNull(): string | null {
    const field = this.text();
    return field === NOTHING ? null : field;
  }

  number(): number {
    return Number(this.text());
  }

  numberOrNull(): number | null {
    const field = this.text();
    return field === NOTHING ? null : Number(field);
  }

  boolean(): boolean {
    return this.text() === 't';
  }

  jsonOrNull(): unknown {
    const field = this.text();
    if (field === '[]') return [];
    return field === NOTHING ? null : JSON.parse(field);
  }

  /** Parses a PostgreSQL array. */
  list(): string[] {
    const members = this.text().slice(1, -1);
    if (members === '') return [];
    if (!members.includes('"')) return members.split(',');
    return Array.from(
      members.matchAll(MEMBER),
      ([, quoted, plain = '']) => quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain,
    );
  }
}
