export type SqlParameter =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly SqlParameter[]
  | SqlPart
  | readonly SqlPart[];

/** A part of a statement that generates its own SQL: a fragment, a name, a value with its own type. */
export interface SqlPart {
  writeTo(text: SqlText): void;
}

function isPart(value: unknown): value is SqlPart {
  return typeof value === 'object' && value !== null && 'writeTo' in value;
}

export class SqlText {
  text = '';
  readonly values: (string | number | Buffer | null)[] = [];

  addAll(strings: readonly string[], parameters: readonly unknown[]): this {
    this.text += strings[0] ?? '';
    for (const [i, parameter] of parameters.entries()) {
      this.add(parameter);
      this.text += strings[i + 1] ?? '';
    }
    return this;
  }

  add(parameter: unknown): void {
    if (isPart(parameter)) parameter.writeTo(this);
    else if (Array.isArray(parameter) && isPart(parameter[0])) {
      for (const part of parameter as SqlPart[]) {
        this.text += ' ';
        part.writeTo(this);
      }
    } else this.addValue(plainValue(parameter), typeOf(parameter));
  }

  addValue(value: string | number | Buffer | null, type = ''): void {
    this.text += `$${this.values.push(value)}${type}`;
  }
}

export function withTypes(text: string, parameters: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (number, n) => `${number}${typeOf(parameters[Number(n) - 1])}`);
}

function typeOf(value: unknown): string {
  if (value instanceof Date) return '::timestamptz';
  if (typeof value === 'boolean') return '::bool';
  if (typeof value === 'bigint') return '::int8';
  return value instanceof Uint8Array ? '::bytea' : '';
}

export function plainValue(value: unknown): string | number | Buffer | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return textOf(value);
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(member).join(',')}}`;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`A statement received ${value === undefined ? 'undefined' : 'an object'} as a value.`);
}

function member(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return textOf(value);
  const text =
    value instanceof Uint8Array
      ? `\\x${Buffer.from(value).toString('hex')}`
      : typeof value === 'string'
        ? value
        : textOf(value);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

export class JsonValue implements SqlPart {
  readonly #text: string;

  constructor(value: unknown) {
    if (value === undefined) throw new TypeError('A statement received undefined as JSON.');
    this.#text = JSON.stringify(value);
  }

  writeTo(text: SqlText): void {
    text.addValue(this.#text, '::jsonb');
  }
}

export class SqlNames implements SqlPart {
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  writeTo(text: SqlText): void {
    text.text += this.#names.map(quoted).join(', ');
  }
}

export class Assignments implements SqlPart {
  readonly #columns: Readonly<Record<string, unknown>>;

  constructor(columns: Readonly<Record<string, unknown>>) {
    this.#columns = columns;
  }

  writeTo(text: SqlText): void {
    for (const [i, [name, value]] of Object.entries(this.#columns).entries()) {
      text.text += `${i === 0 ? '' : ', '}${quoted(name)} = `;
      text.add(value);
    }
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`;
}
