import type { Progress } from '../../core/progress.ts';
import { ImportFileError } from '../import-file-error.ts';
import { BlockIndex, type IndexedBlock } from './block-index.ts';
import type { BoundingBox } from '../../core/geo.ts';
import type { HeaderBlock } from '../pbf/header-block.ts';
import { ObjectReader, WANTED_KEYS } from './object-reader.ts';
import { OutlineRound } from './outline-round.ts';
import { PbfFile } from '../pbf/pbf-file.ts';
import type { PlaceBatch, PlaceReading, ReadCounts } from '../place-draft.ts';

const OUTLINE_NODES_MAX = 8_000_000;
/** A border belongs to a handful of areas; a file that reuses ways more often than this was made to exhaust memory. */
const SHARED_MAX = 30;
/** Number of corners that is always allowed, because a small file may share one border more often. */
const CORNERS_ALWAYS_ALLOWED = 5_000_000;

export interface OsmReadOptions {
  /** Reads places; reading only settlements is faster. */
  places?: boolean;
  /** Reads boundaries, and the settlements and islands from which destinations can be created. */
  settlements?: boolean;
  progress?: Progress;
  /** Date of the file, when the file itself has none. */
  asOf?: Date | undefined;
  /** Maximum number of outline nodes in memory. When there are more, the file is read in more rounds. */
  outlineNodesMax?: number;
}

/** Opens an .osm.pbf extract. Memory use is bounded, regardless of the file's size. */
export async function openOsm(path: string, options: OsmReadOptions = {}): Promise<PlaceReading> {
  const file = await PbfFile.open(path);
  try {
    const header = await file.header();
    if (header.unknownFeatures.length > 0) {
      const features = header.unknownFeatures.join(', ');
      throw new ImportFileError(`${path} needs a reader that understands: ${features}. Use a plain extract.`);
    }
    return new OsmReading(file, header, options);
  } catch (error) {
    await file.close();
    throw error instanceof ImportFileError ? error : file.damaged(0, error);
  }
}

class OsmReading implements PlaceReading {
  readonly extractedAt: Date | null;
  readonly box: BoundingBox | null;
  readonly #file: PbfFile;
  readonly #dataOffset: number;
  readonly #index: BlockIndex;
  readonly #reader: ObjectReader;
  readonly #progress: Progress;
  readonly #outlineNodesMax: number;

  constructor(file: PbfFile, header: HeaderBlock & { end: number }, options: OsmReadOptions) {
    this.#file = file;
    this.#dataOffset = header.end;
    this.extractedAt = header.extractedAt;
    this.box = header.box;
    this.#index = new BlockIndex(file, WANTED_KEYS);
    this.#reader = new ObjectReader(
      options.places ?? true,
      options.settlements ?? true,
      header.extractedAt ?? options.asOf ?? null,
    );
    this.#progress = options.progress ?? (() => undefined);
    this.#outlineNodesMax = options.outlineNodesMax ?? OUTLINE_NODES_MAX;
  }

  get counts(): ReadCounts {
    return this.#reader.counts;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async *batches(): AsyncGenerator<PlaceBatch> {
    try {
      let round = new OutlineRound();
      const first: IndexedBlock[] = [];
      let pending: IndexedBlock[] = [];
      yield* this.#readNodes(round, first, pending);
      for (let blocks = first; blocks.length > 0;) {
        yield* this.#readOutlines(round, blocks, pending.length);
        round = new OutlineRound();
        [blocks, pending] = await this.#nextRound(round, pending);
      }
      yield this.#reader.surroundings();
      this.#progress(this.#file.size, this.#file.size);
    } finally {
      await this.#file.close();
    }
  }

  /** First pass, half of the progress bar: reads places at nodes, and collects the first round of outlines. */
  async *#readNodes(
    round: OutlineRound,
    first: IndexedBlock[],
    pending: IndexedBlock[],
  ): AsyncGenerator<PlaceBatch> {
    const survey = this.#index.survey(this.#dataOffset, (block, indexed) => {
      this.#reader.readNodes(block);
      if (!block.hasOutlines) return;
      if (round.weight >= this.#outlineNodesMax) pending.push(indexed);
      else if (this.#reader.collectOutlines(block, round)) first.push(indexed);
    });
    for await (const { dataOffset, dataSize } of survey) {
      this.#progress(Math.floor((dataOffset + dataSize) / 2), this.#file.size);
      yield* this.#reader.takeBatch();
    }
  }

  async #nextRound(
    round: OutlineRound,
    pending: readonly IndexedBlock[],
  ): Promise<[blocks: IndexedBlock[], pending: IndexedBlock[]]> {
    const blocks: IndexedBlock[] = [];
    let read = 0;
    const reading = this.#index.read(pending, (block, indexed) => {
      read++;
      if (this.#reader.collectOutlines(block, round)) blocks.push(indexed);
    });
    for await (const _ of reading) if (round.weight >= this.#outlineNodesMax) break;
    return [blocks, pending.slice(read)];
  }

  /** Reads one round: the ways of relations, then the positions of all nodes, then the objects themselves again. */
  async *#readOutlines(
    round: OutlineRound,
    blocks: readonly IndexedBlock[],
    pendingBlocks: number,
  ): AsyncGenerator<PlaceBatch> {
    const members = round.memberWays();
    const withMembers = this.#index.where(({ ways }) => ways !== null && members.hasAny(ways));
    const takeMembers = this.#index.read(withMembers, (block) => {
      for (const way of block.ways()) round.takeMemberWay(way);
    });
    for await (const _ of takeMembers);
    this.#rejectExcessiveSharing(round);
    const positions = round.positions();
    const withNodes = this.#index.where(({ nodes }) => nodes !== null && positions.hasAny(nodes));
    let read = 0;
    const fill = this.#index.read(withNodes, (block) => {
      block.fillPositions(positions);
    });
    for await (const _ of fill) {
      const share = ++read / withNodes.length / (1 + pendingBlocks / blocks.length);
      this.#progress(Math.floor((this.#file.size * (1 + Math.min(0.99, share))) / 2), this.#file.size);
    }
    const emit = this.#index.read(blocks, (block) => {
      this.#reader.readOutlines(block, round);
    });
    for await (const _ of emit) yield* this.#reader.takeBatch();
  }

  #rejectExcessiveSharing(round: OutlineRound): void {
    const { drawn, held } = round.sharing();
    if (drawn <= Math.max(CORNERS_ALWAYS_ALLOWED, SHARED_MAX * held)) return;
    const [corners, nodes] = [drawn, held].map((count) => count.toLocaleString('en'));
    throw new ImportFileError(
      `${this.#file.path} has relations with ${corners ?? ''} corners, made of ways with only ${nodes ?? ''}: no real map reuses ways that often. Nothing was changed.`,
    );
  }
}
