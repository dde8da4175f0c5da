import type { Pool } from '../core/postgres/db.ts';
import type { PlaceRow } from './build/document.ts';
import type { Generation } from './store/generation.ts';
import { rowOf, type IndexedDestination } from './build/index-row.ts';
import { Lexicon } from './query/lexicon.ts';
import { FRESH_SERIAL } from './query/rank.ts';
import { SegmentWriter } from './store/segment-writer.ts';
import { countWords } from './query/spelling.ts';
import { TERM_NUMBER } from './store/term-list.ts';
import { WORD_MARK } from './query/token.ts';

/** The part of a generation that holds what changed since the build, and what it replaces of the other part. */
export class FreshPlaces {
  readonly #generation: Generation;
  readonly #writer: SegmentWriter;
  readonly #lexicon: Lexicon;
  /** The words of each row, which are counted out when it goes. */
  readonly #words = new Map<number, readonly string[]>();
  #serial = FRESH_SERIAL;

  constructor(generation: Generation, now: Date) {
    this.#generation = generation;
    this.#writer = new SegmentWriter(generation.fresh.segment);
    this.#lexicon = new Lexicon(now);
    const sql = 'select number, id, slug, timezone from destination';
    for (const row of generation.built.segment.statement(sql).all())
      this.#learn(row as unknown as IndexedDestination);
  }

  /** How many places are here, or are no longer there. */
  get changed(): number {
    return Math.max(this.#words.size, this.#generation.replaced.size);
  }

  async learnDestinations(pool: Pool, places: readonly PlaceRow[]): Promise<void> {
    const { destinations } = this.#generation;
    if (places.every(({ destination_id }) => destinations.has(destination_id))) return;
    const rows = await pool<Omit<IndexedDestination, 'number'>[]>`
      select id, slug, timezone from destination order by id`;
    for (const row of rows)
      if (!destinations.has(row.id) && !this.#generation.closed)
        this.#learn({ ...row, number: destinations.size + 1 });
  }

  /** Takes in places as they are now, undefined where one is gone. As one, so that the full-text table writes once. */
  takeIn(changes: readonly { id: string; place: PlaceRow | undefined }[]): void {
    const { db } = this.#generation.fresh.segment;
    db.exec('begin');
    try {
      for (const { id, place } of changes) {
        this.#forget(id);
        if (place !== undefined) this.#add(place);
      }
    } finally {
      db.exec('commit');
    }
  }

  #add(place: PlaceRow): void {
    const destination = this.#generation.destinations.get(place.destination_id);
    if (destination === undefined) return;
    const { segment } = this.#generation.fresh;
    const row = rowOf(place, destination, this.#lexicon.add(place, destination.number), this.#serial++);
    this.#writer.addHours(this.#lexicon.takeNewHours());
    this.#writer.add(row, 0);
    const terms = new Set(this.#lexicon.takeTerms().map((term) => term & TERM_NUMBER));
    const tokens = Array.from(terms, (term) => this.#lexicon.terms.textOf(term));
    this.#writer.addTokens(row.rowid, tokens.join(' '));
    const words = tokens.filter((token) => token.startsWith(WORD_MARK));
    const spelt = words.map((token) => token.slice(WORD_MARK.length));
    countWords(segment, spelt, 1);
    this.#words.set(row.rowid, spelt);
  }

  #forget(placeId: string): void {
    const { built, fresh, replaced } = this.#generation;
    const old = built.segment.rowidOfPlace(placeId);
    if (old !== undefined) replaced.add(old);
    const recent = fresh.segment.rowidOfPlace(placeId);
    if (recent === undefined) return;
    this.#writer.remove(recent);
    countWords(fresh.segment, this.#words.get(recent) ?? [], -1);
    this.#words.delete(recent);
  }

  #learn(destination: IndexedDestination): void {
    this.#generation.destinations.set(destination.id, destination);
    this.#writer.addDestination(destination);
  }
}
