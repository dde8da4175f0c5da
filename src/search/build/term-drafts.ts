import { isCorrectable } from '../query/spelling.ts';
import { cellTerms } from '../query/geo-cells.ts';
import { destinationTerm } from '../query/stages.ts';
import type { HashEntries, Spot } from '../store/hash-table.ts';
import type { IndexStore } from '../store/index-store.ts';
import { destinationKey, textOf, WORLD } from '../store/keys.ts';
import { writeList } from '../store/list-parts.ts';
import { BITS_MARK } from '../store/open-bits.ts';
import { scopesOf, termsUnder, type TermListener, type TextMark } from './place-terms.ts';

/** Serials of the places that have a term, in the destination being read and in the world. */
class TermDraft {
  readonly term: string;
  readonly isHere: boolean;
  readonly isWorld: boolean;
  here: number[] = [];
  world = new Uint32Array(2);
  places = 0;
  /** Last place added. A place may report a term more than once. */
  last = -1;

  constructor(term: string) {
    this.term = term;
    ({ isHere: this.isHere, isWorld: this.isWorld } = scopesOf(term));
  }

  addInWorld(serial: number): void {
    if (this.places === this.world.length) {
      const grown = new Uint32Array(Math.ceil(this.places * 1.5));
      grown.set(this.world);
      this.world = grown;
    }
    this.world[this.places++] = serial;
  }
}

/** All terms of an index that is being built, with their places. Places arrive by destination and rank. */
export class TermDrafts implements TermListener {
  readonly #names: HashEntries;
  readonly #terms = new Map<string, TermDraft>();
  /** Terms of texts and cells, cached because many places share them. */
  readonly #byText = new Map<TextMark, Map<string, readonly TermDraft[]>>();
  readonly #cells = new Map<number, readonly TermDraft[]>();
  /** Terms with places in the current destination. */
  #here: TermDraft[] = [];
  #place: Spot = { destination: 0, doc: 0, world: 0 };
  #serial = 0;
  /** Whole names of the current place, which may have the same name in two languages. */
  #named: number[] = [];

  constructor(names: HashEntries) {
    this.#names = names;
  }

  /** Starts a new place, to which the following calls refer. */
  begin(place: Spot, serial: number): void {
    this.#place = place;
    this.#serial = serial;
    this.#named = [];
    this.#addPlaceTo(this.#lookUp('i', destinationTerm(place.destination), (term) => [term]));
  }

  addText(mark: TextMark, text: string): void {
    this.#addPlaceTo(this.#lookUp(mark, text, () => termsUnder(mark, text)));
  }

  addName(hash: number): void {
    if (this.#named.includes(hash)) return;
    this.#named.push(hash);
    this.#names.add(hash, this.#place);
  }

  addCell(cell: number): void {
    let drafts = this.#cells.get(cell);
    if (drafts === undefined) this.#cells.set(cell, (drafts = this.#draftsOf(cellTerms(cell))));
    this.#addPlaceTo(drafts);
  }

  #lookUp(mark: TextMark, text: string, make: (text: string) => string[]): readonly TermDraft[] {
    let texts = this.#byText.get(mark);
    if (texts === undefined) this.#byText.set(mark, (texts = new Map<string, readonly TermDraft[]>()));
    let drafts = texts.get(text);
    if (drafts === undefined) texts.set(text, (drafts = this.#draftsOf(make(text))));
    return drafts;
  }

  #draftsOf(terms: readonly string[]): TermDraft[] {
    return terms.map((term) => {
      let draft = this.#terms.get(term);
      if (draft === undefined) this.#terms.set(term, (draft = new TermDraft(term)));
      return draft;
    });
  }

  #addPlaceTo(drafts: readonly TermDraft[]): void {
    const { world } = this.#place;
    for (const draft of drafts) {
      if (draft.last === world) continue;
      draft.last = world;
      if (draft.isWorld) draft.addInWorld(world);
      if (draft.isHere && draft.here.push(this.#serial) === 1) this.#here.push(draft);
    }
  }

  /**
   * Writes the lists of a destination. `docs` maps serials to documents. The bits are written in between, in key order.
   */
  writeDestination(store: IndexStore, destination: number, docs: Float64Array, writeBits: () => void): void {
    const sorted = this.#here.sort((one, other) => (one.term < other.term ? -1 : 1));
    this.#here = [];
    const behindBits = sorted.findIndex(({ term }) => term > BITS_MARK);
    for (const [i, draft] of sorted.entries()) {
      if (i === behindBits) writeBits();
      const own = Float64Array.from(draft.here, (serial) => docs[serial] ?? 0);
      writeList(store, destinationKey(destination) + draft.term, own);
      draft.here = [];
    }
    if (behindBits < 0) writeBits();
  }

  /** Writes the lists of the world and returns the words that spelling correction may suggest. */
  writeWorld(store: IndexStore, docOf: (serial: number) => number): string[] {
    const spelt: string[] = [];
    for (const term of [...this.#terms.keys()].sort()) {
      const draft = this.#terms.get(term);
      this.#terms.delete(term);
      if (draft === undefined || draft.places === 0) continue;
      const serials = draft.world.subarray(0, draft.places).sort();
      writeList(store, destinationKey(WORLD) + term, Float64Array.from(serials, docOf));
      if (term.startsWith('w') && isCorrectable(textOf(term))) spelt.push(textOf(term));
    }
    return spelt;
  }
}
