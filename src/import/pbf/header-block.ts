import type { BoundingBox } from '../../core/geo.ts';
import { Wire } from './wire.ts';

const KNOWN_FEATURES = new Set(['OsmSchema-V0.6', 'DenseNodes']);

/** Fields of HeaderBlock, as tags of the wire format. */
const FIELD = { box: 0x0a, feature: 0x22, time: 0x100, sequence: 0x108, url: 0x112 } as const;

export interface MapHeader {
  /** Date of the extract, when the file states it. */
  extractedAt: Date | null;
  /** Bounding box of the extract, when the file states it. */
  box: BoundingBox | null;
  /** URL where changes to the file are published, and the sequence number of the last one applied. */
  replication: Replication | null;
}

export interface Replication {
  url: string;
  sequence: number;
}

export interface HeaderBlock extends MapHeader {
  /** Required features that this reader does not support. */
  unknownFeatures: string[];
}

export function readHeaderBlock(bytes: Uint8Array): HeaderBlock {
  const wire = new Wire(bytes);
  const features: string[] = [];
  let [seconds, sequence, url] = [0, 0, ''];
  let box: BoundingBox | null = null;
  while (wire.more) {
    const field = wire.varint();
    if (field === FIELD.feature) features.push(Buffer.from(wire.slice()).toString('utf8'));
    else if (field === FIELD.box) box = readBox(wire.part());
    else if (field === FIELD.time) seconds = wire.varint();
    else if (field === FIELD.sequence) sequence = wire.varint();
    else if (field === FIELD.url) url = Buffer.from(wire.slice()).toString('utf8');
    else wire.skip(field & 7);
  }
  return {
    extractedAt: seconds === 0 ? null : new Date(seconds * 1000),
    box,
    replication: url === '' || sequence === 0 ? null : { url, sequence },
    unknownFeatures: features.filter((feature) => !KNOWN_FEATURES.has(feature)),
  };
}

/** Reads left, right, top and bottom in billionths of a degree, as fields 1 to 4. */
function readBox(wire: Wire): BoundingBox {
  const sides = [0, 0, 0, 0, 0];
  while (wire.more) {
    const field = wire.varint();
    if ((field & 7) === 0) sides[field >>> 3] = wire.zigzag() / 1e9;
    else wire.skip(field & 7);
  }
  const [, west = 0, east = 0, north = 0, south = 0] = sides;
  return { west, south, east, north };
}
