import type { Progress } from '../../core/progress.ts';
import type { Found } from '../place-draft.ts';
import { PbfFile } from '../pbf/pbf-file.ts';
import { stateOf } from '../tags/draft-from-tags.ts';
import { BlockIndex } from './block-index.ts';
import { WANTED_KEYS } from './object-reader.ts';

/** Which of these objects an .osm.pbf extract holds, under whatever tags. */
export async function findOsmObjects(
  path: string,
  refs: ReadonlySet<string>,
  progress: Progress,
): Promise<Found> {
  const found: Found = new Map();
  // Files are in the order of nodes, ways and relations, each by number.
  const last = { node: -1, way: -1, relation: -1 };
  const [nodes, ways, relations] = [idsOf('node', refs), idsOf('way', refs), idsOf('relation', refs)];
  const file = await PbfFile.open(path);
  try {
    const survey = new BlockIndex(file, WANTED_KEYS).survey(0, (block) => {
      block.eachNodeId((id) => {
        last.node = Math.max(last.node, id);
        if (nodes.has(id)) found.set(`node/${id}`, 'there');
      });
      for (const { id, tags } of block.wantedNodes()) {
        if (nodes.has(id)) found.set(`node/${id}`, stateOf(tags));
      }
      for (const way of block.ways()) {
        last.way = Math.max(last.way, way.id);
        if (ways.has(way.id)) found.set(`way/${way.id}`, stateOf(way.tags()));
      }
      for (const relation of block.relations()) {
        last.relation = Math.max(last.relation, relation.id);
        if (relations.has(relation.id)) found.set(`relation/${relation.id}`, stateOf(relation.tags()));
      }
    });
    for await (const { dataOffset, dataSize } of survey) progress(dataOffset + dataSize, file.size);
  } finally {
    await file.close();
  }
  for (const ref of refs) if (!found.has(ref) && isAfter(ref, last)) found.set(ref, 'untold');
  return found;
}

function isAfter(ref: string, last: Readonly<Record<'node' | 'way' | 'relation', number>>): boolean {
  const [kind = '', id] = ref.split('/');
  switch (kind) {
    case 'node':
      return Number(id) > last.node && last.way < 0 && last.relation < 0;
    case 'way':
      return Number(id) > last.way && last.relation < 0;
    default:
      return Number(id) > last.relation;
  }
}

function idsOf(kind: string, refs: ReadonlySet<string>): Set<number> {
  const own = refs.values().filter((ref) => ref.startsWith(`${kind}/`));
  return new Set(own.map((ref) => Number(ref.slice(kind.length + 1))));
}
