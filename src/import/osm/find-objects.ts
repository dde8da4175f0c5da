import type { Progress } from '../../core/progress.ts';
import type { ObjectStates } from '../place-draft.ts';
import { PbfFile } from '../pbf/pbf-file.ts';
import { stateOf } from '../tags/draft-from-tags.ts';
import { BlockIndex } from './block-index.ts';
import { WANTED_KEYS } from './object-reader.ts';

export async function findOsmObjects(
  path: string,
  refs: ReadonlySet<string>,
  progress: Progress,
): Promise<ObjectStates> {
  const objects: ObjectStates = new Map();
  // Files are sorted: nodes, ways, then relations, each by id.
  const last = { node: -1, way: -1, relation: -1 };
  const [nodes, ways, relations] = [idsOf('node', refs), idsOf('way', refs), idsOf('relation', refs)];
  const file = await PbfFile.open(path);
  try {
    const survey = new BlockIndex(file, WANTED_KEYS).survey(0, (block) => {
      block.eachNodeId((id) => {
        last.node = Math.max(last.node, id);
        if (nodes.has(id)) objects.set(`node/${id}`, 'there');
      });
      for (const { id, tags } of block.wantedNodes()) {
        if (nodes.has(id)) objects.set(`node/${id}`, stateOf(tags));
      }
      for (const way of block.ways()) {
        last.way = Math.max(last.way, way.id);
        if (ways.has(way.id)) objects.set(`way/${way.id}`, stateOf(way.tags()));
      }
      for (const relation of block.relations()) {
        last.relation = Math.max(last.relation, relation.id);
        if (relations.has(relation.id)) objects.set(`relation/${relation.id}`, stateOf(relation.tags()));
      }
    });
    for await (const { dataOffset, dataSize } of survey) progress(dataOffset + dataSize, file.size);
  } finally {
    await file.close();
  }
  for (const ref of refs) if (!objects.has(ref) && isAfter(ref, last)) objects.set(ref, 'untold');
  return objects;
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
  const ownRefs = refs.values().filter((ref) => ref.startsWith(`${kind}/`));
  return new Set(ownRefs.map((ref) => Number(ref.slice(kind.length + 1))));
}
