import { type HeaderBlock, readHeaderBlock } from '../pbf/header-block.ts';
import { PbfFile } from '../pbf/pbf-file.ts';

export type MapHeader = Pick<HeaderBlock, 'extractedAt' | 'box' | 'replication'>;

/** Reads the header of an extract. */
export async function readMapHeader(path: string): Promise<MapHeader> {
  const file = await PbfFile.open(path);
  try {
    const entry = await file.entryAt(0);
    if (entry?.type !== 'OSMHeader') throw file.damaged(0, 'it is not a header');
    return readHeaderBlock(await file.read(entry));
  } finally {
    await file.close();
  }
}
