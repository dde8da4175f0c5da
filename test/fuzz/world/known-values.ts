import { letters } from './add-callers.ts';

const KEPT = 300;
/** Ids by which a record can be asked for that is not everybody's. */
const PRIVATE = new Set(['agt', 'bkg', 'lic', 'mem', 'off', 'ocl', 'pay', 'prm', 'ptn', 'qte', 'sub', 'top']);
const ID = /\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b/g;
const CURSOR = /"next_cursor":"([^"]+)"/;
const SHOWN_KEY = /\b(?:svc_(?:live|partner)_[0-9A-Za-z]{36}|whsec_[A-Za-z0-9+/=_-]{20,})/g;

/** Values learned from responses: ids to request, and the owner of each. */
export class KnownValues {
  readonly #kinds = new Map<string, string[]>();
  readonly #owners = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  /** Ids and keys in the examples of our own documents. */
  readonly #examples = new Set<string>();

  addExamples(text: string): void {
    for (const [id] of text.matchAll(ID)) this.#examples.add(id);
  }

  add(kind: string, value: string, letter?: string): void {
    if (this.#examples.has(value)) return;
    if (letter !== undefined && PRIVATE.has(kind) && !this.#owners.has(value))
      this.#owners.set(value, letter);
    for (const pool of letter === undefined ? [kind] : [kind, `${letter} ${kind}`]) {
      const values = this.#kinds.get(pool) ?? [];
      this.#kinds.set(pool, values);
      if (values.includes(value)) continue;
      values.push(value);
      if (values.length > KEPT) values.shift();
    }
  }

  addMailbox(mailbox: string, letter: string): void {
    this.#owners.set(mailbox.toLowerCase(), letter);
  }

  /** Adds a key, token or cookie, which nobody else may see. */
  addSecret(secret: string, letter: string): void {
    if (secret.length >= 16) this.#secrets.set(secret, letter);
  }

  get secrets(): ReadonlyMap<string, string> {
    return this.#secrets;
  }

  ownerOf(value: string): string | undefined {
    return this.#owners.get(value);
  }

  /** One value of a kind; of the caller's own where a letter is given and it has any. */
  pick(kind: string, nth: number, letter?: string): string | undefined {
    const own = letter === undefined ? undefined : this.#kinds.get(`${letter} ${kind}`);
    const values = own ?? this.#kinds.get(kind) ?? [];
    // The newest come first: what was made last is still in the state in which it was made.
    return values.at(-1 - (nth % Math.max(values.length, 1)));
  }

  /** Keeps what an answer tells. What was shown to a caller first is its own. */
  learn(text: string, letter: string | undefined): void {
    for (const [id, kind = ''] of text.matchAll(ID)) if (kind !== 'req') this.add(kind, id, letter);
    const cursor = CURSOR.exec(text)?.[1];
    if (cursor !== undefined) this.add('cursor', cursor, letter ?? 'x');
    for (const [key] of text.matchAll(SHOWN_KEY))
      if (!/_0{36}$|EXAMPLE/.test(key)) this.addSecret(key, letter ?? 'x');
  }
}

/** A text that only one account knows, and that says whose it is. */
export function privateText(kind: string, letter: string, nth: number): string {
  switch (kind) {
    case 'mailbox':
      return `zqmail${letter}${letters(nth)}@mail.example`;
    case 'guest':
      return `Zqguest${letter}${letters(nth)} Somebody`;
    default:
      return `zq${kind}${letter}${letters(nth)} by the window`;
  }
}
