import { visibleText } from '../../core/text/visible-text.ts';
import type { Tags } from '../categories.ts';
import type { WantedKeys } from './wanted-keys.ts';
import { type Wire, WireError } from './wire.ts';

/** String table of one block, to which its objects refer by index. Strings are decoded on first use. */
export class BlockStrings {
  readonly anyWanted: boolean;
  readonly #bytes: Buffer;
  readonly #bounds: number[] = [];
  readonly #wanted: boolean[] = [];
  readonly #texts: (string | undefined)[] = [];

  constructor(table: Wire, keys: WantedKeys) {
    const { buffer, byteOffset, byteLength } = table.bytes;
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    let anyWanted = false;
    while (table.seek(0x0a)) {
      const { pos, end } = table.part();
      const isWanted = keys.has(this.#bytes, pos, end);
      this.#bounds.push(pos, end);
      this.#wanted.push(isWanted);
      anyWanted ||= isWanted;
    }
    this.anyWanted = anyWanted;
  }

  isWanted(number: number): boolean {
    return this.#wanted[number] === true;
  }

  text(number: number): string {
    const cached = this.#texts[number];
    if (cached !== undefined) return cached;
    const start = this.#bounds[number * 2];
    if (start === undefined) throw new WireError('an object refers to a text that does not exist');
    const text = visibleText(this.#bytes.toString('utf8', start, this.#bounds[number * 2 + 1]));
    this.#texts[number] = text;
    return text;
  }

  pairs(row: Wire): Tags {
    const tags = new Map<string, string>();
    while (row.more) tags.set(this.text(row.varint()), this.text(row.varint()));
    return tags;
  }
}
