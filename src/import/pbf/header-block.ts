import { Wire } from './wire.ts';

const KNOWN_FEATURES = new Set(['OsmSchema-V0.6', 'DenseNodes']);

const REQUIRED_FEATURE = 0x22;
const REPLICATION_TIME = 0x100;

export interface HeaderBlock {
  /** When the extract was cut, where the file says so. */
  extractedAt: Date | null;
  /** What a reader must understand, and this one does not. */
  unknownFeatures: string[];
}

/** Reads the first block of the file, which describes the others. */
export function readHeaderBlock(bytes: Uint8Array): HeaderBlock {
  const wire = new Wire(bytes);
  const features: string[] = [];
  let seconds = 0;
  while (wire.more) {
    const field = wire.varint();
    if (field === REQUIRED_FEATURE) features.push(Buffer.from(wire.slice()).toString('utf8'));
    else if (field === REPLICATION_TIME) seconds = wire.varint();
    else wire.skip(field & 7);
  }
  return {
    extractedAt: seconds === 0 ? null : new Date(seconds * 1000),
    unknownFeatures: features.filter((feature) => !KNOWN_FEATURES.has(feature)),
  };
}
