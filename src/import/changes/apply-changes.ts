import { open, rename, rm } from 'node:fs/promises';
import type { BoundingBox } from '../../core/geo.ts';
import { writeBlock, writeHeader } from '../pbf/block-writer.ts';
import type { MapHeader } from '../pbf/header-block.ts';
import { OsmBlock } from '../pbf/osm-block.ts';
import type { OsmObject } from '../pbf/osm-object.ts';
import { type BlobEntry, PbfFile } from '../pbf/pbf-file.ts';
import { WireError } from '../pbf/wire.ts';
import { WantedKeys } from '../pbf/wanted-keys.ts';
import { contains } from '../settlement-extent.ts';
import type { MapChanges } from './change-file.ts';
import type { MapNode, MapObjects, MapRelation, MapWay } from './map-object.ts';

const NO_KEYS = new WantedKeys([]);
/** Number of objects that most programs put into one block. */
const BLOCK_OBJECTS = 8_000;
const KINDS = ['nodes', 'ways', 'relations'] as const;
type Kind = (typeof KINDS)[number];

/** Writes the extract with the changes applied to a temporary file, which replaces the old one when complete. */
export async function applyChanges(
  base: string,
  changes: MapChanges,
  target: string,
  header: MapHeader,
): Promise<void> {
  const part = `${target}.part`;
  const file = await PbfFile.open(base);
  try {
    const out = await open(part, 'w');
    try {
      await out.write(await writeHeader(header));
      for await (const frame of new ChangedFile(file, changes, header.box).frames()) await out.write(frame);
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

class ChangedFile {
  readonly #file: PbfFile;
  readonly #changes: MapChanges;
  readonly #box: BoundingBox | null;
  /** Changed objects that were already written to the new file. */
  readonly #written: Readonly<Record<Kind, Set<number>>> = {
    nodes: new Set(),
    ways: new Set(),
    relations: new Set(),
  };
  /** Number of kinds whose new objects were already written. */
  #added = 0;
  /** Offset of the block that is being read. */
  #offset = 0;
  #referredTo: Set<number> | undefined;

  constructor(file: PbfFile, changes: MapChanges, box: BoundingBox | null) {
    this.#file = file;
    this.#changes = changes;
    this.#box = box;
  }

  async *frames(): AsyncGenerator<Buffer> {
    try {
      yield* this.#frames();
    } catch (error) {
      throw error instanceof WireError ? this.#file.damaged(this.#offset, error) : error;
    }
  }

  async *#frames(): AsyncGenerator<Buffer> {
    let entry = await this.#file.entryAt(0);
    // The header is written separately.
    if (entry?.type === 'OSMHeader') entry = await this.#next(entry);
    for (; entry !== null; entry = await this.#next(entry)) {
      if (entry.type !== 'OSMData') continue;
      this.#offset = entry.offset;
      const block = new OsmBlock(await this.#file.read(entry), NO_KEYS);
      // New nodes are written before all ways and new ways before all relations, as other programs do.
      for (const kind of KINDS.slice(this.#added, firstKind(block))) yield* this.#newOnes(kind);
      this.#added = Math.max(this.#added, firstKind(block));
      if (!this.#isTouched(block)) yield await this.#file.frame(entry);
      else yield await writeBlock(this.#changed(block));
    }
    for (const kind of KINDS.slice(this.#added)) yield* this.#newOnes(kind);
  }

  #next({ dataOffset, dataSize }: BlobEntry): Promise<BlobEntry | null> {
    return this.#file.entryAt(dataOffset + dataSize);
  }

  #isTouched(block: OsmBlock): boolean {
    const { nodes, ways, relations } = this.#changes;
    let changed = 0;
    block.eachNodeId((id) => {
      if (nodes.has(id)) changed++;
    });
    return (
      changed > 0 ||
      block.ways().some(({ id }) => ways.has(id)) ||
      block.relations().some(({ id }) => relations.has(id))
    );
  }

  #changed(block: OsmBlock): MapObjects {
    const common = (object: OsmObject) => ({
      id: object.id,
      tags: object.tags(),
      changedAt: object.changedAt(),
    });
    const ways = block.ways().map((way) => ({ ...common(way), refs: way.refs() }));
    const relations = block
      .relations()
      .map((relation) => ({ ...common(relation), members: relation.members() }));
    return {
      nodes: this.#asChanged('nodes', this.#changes.nodes, block.nodes()),
      ways: this.#asChanged('ways', this.#changes.ways, ways),
      relations: this.#asChanged('relations', this.#changes.relations, relations),
    };
  }

  #asChanged<One extends { id: number }>(
    kind: Kind,
    changes: ReadonlyMap<number, One | null>,
    objects: Iterable<One>,
  ): One[] {
    const written = this.#written[kind];
    const result: One[] = [];
    for (const object of objects) {
      const change = changes.get(object.id);
      if (change === undefined) result.push(object);
      else if (change !== null && !written.has(object.id)) result.push(change);
      if (change !== undefined) written.add(object.id);
    }
    return result;
  }

  async *#newOnes(kind: Kind): AsyncGenerator<Buffer> {
    const all: Iterable<MapNode | MapWay | MapRelation | null> = this.#changes[kind].values();
    const added = Array.from(all).filter(
      (object) =>
        object !== null &&
        !this.#written[kind].has(object.id) &&
        (!('lat' in object) || this.#isWanted(object)),
    ) as (MapNode | MapWay | MapRelation)[];
    for (const { id } of added) this.#written[kind].add(id);
    for (let at = 0; at < added.length; at += BLOCK_OBJECTS) {
      const some = added.slice(at, at + BLOCK_OBJECTS);
      yield await writeBlock({ nodes: [], ways: [], relations: [], [kind]: some });
    }
  }

  /** True when a new node belongs to the extract: it is inside the box, or something refers to it. */
  #isWanted(node: MapNode): boolean {
    if (this.#box === null || contains(this.#box, node)) return true;
    this.#referredTo ??= new Set(this.#changes.ways.values().flatMap((way) => way?.refs ?? []));
    return this.#referredTo.has(node.id);
  }
}

/** Returns the number of kinds that are complete when this block begins: 1 for ways, 2 for relations. */
function firstKind(block: OsmBlock): number {
  if (!block.nodes().next().done) return 0;
  return block.ways().next().done === true ? 2 : 1;
}
