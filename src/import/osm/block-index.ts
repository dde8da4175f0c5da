import { WireError } from '../pbf/wire.ts';
import { OsmBlock } from '../pbf/osm-block.ts';
import { type BlobEntry, type PbfFile, readAhead } from '../pbf/pbf-file.ts';
import type { IdRange } from '../pbf/sorted-ids.ts';
import type { WantedKeys } from '../pbf/wanted-keys.ts';

/** Id ranges of a block, so that later passes read only the blocks they need. */
export interface IndexedBlock {
  entry: BlobEntry;
  nodes: IdRange | null;
  ways: IdRange | null;
}

/** Reads the blocks of a file, in file order or selected by the index. */
export class BlockIndex {
  readonly #file: PbfFile;
  readonly #keys: WantedKeys;
  readonly #indexed: IndexedBlock[] = [];

  constructor(file: PbfFile, keys: WantedKeys) {
    this.#file = file;
    this.#keys = keys;
  }

  /** Reads the whole file from an offset, passes every block to `visit`, and indexes its content. */
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
      // The format requires readers to skip unknown kinds of blocks.
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

  async *read(
    selected: readonly IndexedBlock[],
    visit: (block: OsmBlock, indexed: IndexedBlock) => void,
  ): AsyncGenerator<IndexedBlock> {
    let requested = 0;
    let received = 0;
    const next = () => Promise.resolve(selected[requested++]?.entry ?? null);
    for await (const { entry, bytes } of readAhead(this.#file, next)) {
      const indexed = selected[received++];
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
