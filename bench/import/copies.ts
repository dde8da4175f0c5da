import { once } from 'node:events';
import { createWriteStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MapObjects } from '../../src/import/changes/map-object.ts';
import { writeBlock, writeHeader } from '../../src/import/pbf/block-writer.ts';
import { OsmBlock } from '../../src/import/pbf/osm-block.ts';
import { PbfFile, readAhead } from '../../src/import/pbf/pbf-file.ts';
import { WantedKeys } from '../../src/import/pbf/wanted-keys.ts';

// Writes an extract of about the given size, to measure the import of a large file. It consists of copies of the
// extracts in a folder. Each copy has its own ids and lies elsewhere.
// Usage: node bench/import/copies.ts FOLDER TARGET MEGABYTES
const [folder = '', target = '', megabytes = ''] = process.argv.slice(2);
const MB = 2 ** 20;
/** Greater than any id in use. */
const IDS_PER_COPY = 2e10;
const KINDS = ['nodes', 'ways', 'relations'] as const;
const paths = readdirSync(folder)
  .filter((name) => name.endsWith('.osm.pbf'))
  .sort()
  .map((name) => join(folder, name));
const size = paths.reduce((sum, path) => sum + statSync(path).size, 0);
if (size === 0 || !(Number(megabytes) > 0)) {
  process.stderr.write('Usage: node bench/import/copies.ts FOLDER TARGET MEGABYTES\n');
  process.exit(1);
}

const copies = Math.max(1, Math.round((Number(megabytes) * MB) / size));
const out = createWriteStream(target);
await put(await writeHeader({ extractedAt: new Date('2025-02-11T00:00:00Z'), box: null, replication: null }));
// A file has all nodes before all ways, and all ways before all relations.
for (const kind of KINDS) {
  for (let copy = 0; copy < copies; copy++)
    for (const [number, path] of paths.entries()) await writeCopy(kind, path, copy, number);
}
out.end();
await once(out, 'finish');
process.stdout.write(`${copies} copies, ${Math.round(statSync(target).size / MB)} MB\n`);

/** Writes the objects of one kind of one file. Blocks are read again for each copy, so little is held in memory. */
async function writeCopy(
  kind: (typeof KINDS)[number],
  path: string,
  copy: number,
  number: number,
): Promise<void> {
  const firstId = (copy * paths.length + number) * IDS_PER_COPY;
  const south = Math.floor(copy / 100) * 4 + (copy % 2);
  const east = (copy % 100) * 3.3;
  for await (const block of blocksOf(path)) {
    const objects = shifted(block, kind, { firstId, south, east });
    if (objects[kind].length > 0) await put(await writeBlock(objects));
  }
}

async function* blocksOf(path: string): AsyncGenerator<OsmBlock> {
  const file = await PbfFile.open(path);
  let at = (await file.header()).end;
  const next = async () => {
    const entry = await file.entryAt(at);
    if (entry !== null) at = entry.dataOffset + entry.dataSize;
    return entry;
  };
  for await (const { entry, bytes } of readAhead(file, next))
    if (entry.type === 'OSMData') yield new OsmBlock(bytes, new WantedKeys([]));
  await file.close();
}

function shifted(
  block: OsmBlock,
  kind: (typeof KINDS)[number],
  { firstId, south, east }: { firstId: number; south: number; east: number },
): MapObjects {
  const objects: MapObjects = { nodes: [], ways: [], relations: [] };
  if (kind === 'nodes') {
    for (const node of block.nodes()) {
      const lng = ((((node.lng + east + 180) % 360) + 360) % 360) - 180;
      objects.nodes.push({ ...node, id: node.id + firstId, lat: node.lat - south, lng });
    }
  } else if (kind === 'ways') {
    for (const way of block.ways()) {
      const refs = way.refs().map((ref) => ref + firstId);
      objects.ways.push({ id: way.id + firstId, refs, tags: way.tags(), changedAt: way.changedAt() });
    }
  } else {
    for (const relation of block.relations()) {
      const members = relation.members().map((member) => ({ ...member, ref: member.ref + firstId }));
      const { id } = relation;
      objects.relations.push({
        id: id + firstId,
        members,
        tags: relation.tags(),
        changedAt: relation.changedAt(),
      });
    }
  }
  return objects;
}

async function put(bytes: Buffer): Promise<void> {
  if (!out.write(bytes)) await once(out, 'drain');
}
