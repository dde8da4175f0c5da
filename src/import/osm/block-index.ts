import { WireError } from '../pbf/wire.ts';
import { OsmBlock } from '../pbf/osm-block.ts';
import { type BlobEntry, type PbfFile, readAhead } from '../pbf/pbf-file.ts';
import type { IdRange } from '../pbf/sorted-ids.ts';
import type { WantedKeys } from '../pbf/wanted-keys.ts';

/** What a block holds, so that later passes read only the blocks they need. */
export interface IndexedBlock {
  entry: BlobEntry;
  nodes: IdRange | null;
  ways: IdRange | null;
}

/** The blocks of a file, in the order of the file or as chosen from the index. */
export class BlockIndex {
  readonly #file: PbfFile;
  readonly #keys: WantedKeys;
  readonly #indexed: IndexedBlock[] = [];

  constructor(file: PbfFile, keys: WantedKeys) {
    this.#file = file;
    this.#keys = keys;
  }

  /** Reads the whole file from an offset and hands over every block; remembers what each holds. */
  async *survey(
    offset: number,
    visit: (block: OsmBlock, indexed: IndexedBlock) => void,
  ): AsyncGenerator<BlobEntry> {
    let at = offset;
    const next = async () => {
      const entry = await this.#file.entryAt(at);
      if (entry !== null) at = entry.dataOffset + entry.dataSize;
      return entry;
    };
    for await (const { entry, bytes } of readAhead(this.#file, next)) {
      // The format asks readers to pass over kinds of blocks that they do not know.
      if (entry.type === 'OSMData') {
        this.#within(entry, () => {
          const block = new OsmBlock(bytes, this.#keys);
          const indexed = { entry, nodes: block.nodeRange(), ways: block.wayRange() };
          this.#indexed.push(indexed);
          visit(block, indexed);
        });
      }
      yield entry;
    }
  }

  /** Reads the chosen blocks again. */
  async *read(
    chosen: readonly IndexedBlock[],
    visit: (block: OsmBlock, indexed: IndexedBlock) => void,
  ): AsyncGenerator<IndexedBlock> {
    let taken = 0;
    let given = 0;
    const next = () => Promise.resolve(chosen[taken++]?.entry ?? null);
    for await (const { entry, bytes } of readAhead(this.#file, next)) {
      const indexed = chosen[given++];
      if (indexed === undefined) return;
      this.#within(entry, () => {
        visit(new OsmBlock(bytes, this.#keys), indexed);
      });
      yield indexed;
    }
  }

  where(holds: (indexed: IndexedBlock) => boolean): IndexedBlock[] {
    return this.#indexed.filter(holds);
  }

  #within(entry: BlobEntry, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof WireError) throw this.#file.damaged(entry.offset, error);
      throw error;
    }
  }
}
