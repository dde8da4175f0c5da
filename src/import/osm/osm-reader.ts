import type { Progress } from '../../core/progress.ts';
import { ImportFileError } from '../import-file-error.ts';
import { BlockIndex, type IndexedBlock } from './block-index.ts';
import type { BlockReader } from './block-reader.ts';
import type { HeaderBlock } from '../pbf/header-block.ts';
import type { WantedKeys } from '../pbf/wanted-keys.ts';
import { ObjectReader, WANTED_KEYS } from './object-reader.ts';
import { OutlineRound } from './outline-round.ts';
import { PbfFile } from '../pbf/pbf-file.ts';
import type { PlaceReading } from '../place-draft.ts';

/** These take about a hundred megabytes. */
const OUTLINE_NODES_MAX = 4_000_000;
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

/** Opens an .osm.pbf extract for its places. Memory use is bounded, regardless of the file's size. */
export async function openOsm(path: string, options: OsmReadOptions = {}): Promise<PlaceReading> {
  const { header, file } = await openBlocks(path);
  const asOf = header.extractedAt ?? options.asOf ?? null;
  const reader = new ObjectReader(options.places ?? true, options.settlements ?? true, asOf);
  const reading = new OsmReading({ file, header, keys: WANTED_KEYS, reader, ...options });
  return {
    extractedAt: header.extractedAt,
    box: header.box,
    counts: reader.counts,
    batches: () => reading.batches(),
    close: () => file.close(),
  };
}

type OpenedBlocks = { file: PbfFile; header: HeaderBlock & { end: number } };

/** Opens an extract and reads its header. Files that need an unknown feature are refused. */
export async function openBlocks(path: string): Promise<OpenedBlocks> {
  const file = await PbfFile.open(path);
  try {
    const header = await file.header();
    if (header.unknownFeatures.length > 0) {
      const features = header.unknownFeatures.join(', ');
      throw new ImportFileError(`${path} needs a reader that understands: ${features}. Use a plain extract.`);
    }
    return { file, header };
  } catch (error) {
    await file.close();
    throw error instanceof ImportFileError ? error : file.damaged(0, error);
  }
}

interface ReadingOptions<Batch> extends OpenedBlocks {
  /** Objects without any of these keys are skipped. */
  keys: WantedKeys;
  reader: BlockReader<Batch>;
  progress?: Progress;
  outlineNodesMax?: number;
}

/** Reads an extract with a block reader. Memory use is bounded, regardless of the file's size. */
export class OsmReading<Batch> {
  readonly #file: PbfFile;
  readonly #dataOffset: number;
  readonly #index: BlockIndex;
  readonly #reader: BlockReader<Batch>;
  readonly #progress: Progress;
  readonly #outlineNodesMax: number;

  constructor({ file, header, keys, reader, progress, outlineNodesMax }: ReadingOptions<Batch>) {
    this.#file = file;
    this.#dataOffset = header.end;
    this.#index = new BlockIndex(file, keys);
    this.#reader = reader;
    this.#progress = progress ?? (() => undefined);
    this.#outlineNodesMax = outlineNodesMax ?? OUTLINE_NODES_MAX;
  }

  async *batches(): AsyncGenerator<Batch> {
    try {
      let round = new OutlineRound();
      const first: IndexedBlock[] = [];
      let pending: IndexedBlock[] = [];
      yield* this.#readNodes(round, first, pending);
      const total = first.length + pending.length;
      for (let blocks = first; blocks.length > 0;) {
        const done = total - blocks.length - pending.length;
        yield* this.#readOutlines(round, blocks, { from: done / total, to: (done + blocks.length) / total });
        round = new OutlineRound();
        [blocks, pending] = await this.#nextRound(round, pending);
      }
      yield* this.#reader.takeRest();
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
  ): AsyncGenerator<Batch> {
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
    progress: { from: number; to: number },
  ): AsyncGenerator<Batch> {
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
      const share = progress.from + (++read / withNodes.length) * (progress.to - progress.from);
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
