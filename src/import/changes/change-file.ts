import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { RelationMember } from '../pbf/osm-object.ts';
import { asImportFileError, ImportFileError } from '../import-file-error.ts';
import { unpackLimit } from '../unpack-limit.ts';
import type { MapNode, MapRelation, MapWay } from './map-object.ts';

export interface MapChanges {
  nodes: Map<number, MapNode | null>;
  ways: Map<number, MapWay | null>;
  relations: Map<number, MapRelation | null>;
  newest: Date | null;
}

export function noChanges(): MapChanges {
  return { nodes: new Map(), ways: new Map(), relations: new Map(), newest: null };
}

const ACTIONS = new Set(['create', 'modify', 'delete']);
const GZIP = 0x1f8b;
/** Maximum nesting: osmChange, action, object and its parts, plus room for extensions. */
const DEPTH_MAX = 16;
const MEMBER_TYPES: readonly string[] = ['node', 'way', 'relation'] satisfies RelationMember['type'][];

/** Reads a change file (.osc, plain or gzip) into the changes, after `since`. A broken file adds nothing. */
export async function readChanges(path: string, into: MapChanges, since?: Date): Promise<void> {
  const reader = new ChangeReader(since);
  try {
    const isPacked = (await firstBytes(path)) === GZIP;
    const text = async (source: AsyncIterable<Buffer>) => {
      const decoder = new TextDecoder('utf8', { fatal: true });
      for await (const bytes of source) reader.write(decoder.decode(bytes, { stream: true }));
      reader.write(decoder.decode());
      reader.close();
    };
    const file = createReadStream(path);
    const { size } = await stat(path);
    await (isPacked ? pipeline(file, createGunzip(), unpackLimit(path, size), text) : pipeline(file, text));
  } catch (error) {
    if (error instanceof ChangeFileError)
      throw new ImportFileError(
        `${path} is not a usable OSM change file: ${error.message}. Nothing was changed.`,
      );
    throw asImportFileError(path, error);
  }
  const { changes } = reader;
  for (const [id, node] of changes.nodes) into.nodes.set(id, node);
  for (const [id, way] of changes.ways) into.ways.set(id, way);
  for (const [id, relation] of changes.relations) into.relations.set(id, relation);
  if (changes.newest !== null && (into.newest === null || changes.newest > into.newest))
    into.newest = changes.newest;
}

async function firstBytes(path: string): Promise<number> {
  for await (const chunk of createReadStream(path, { end: 1 }))
    return (chunk as Buffer).length < 2 ? 0 : (chunk as Buffer).readUInt16BE(0);
  return 0;
}

class ChangeFileError extends Error {}

interface ObjectInProgress {
  kind: 'node' | 'way' | 'relation';
  id: number;
  tags: Map<string, string>;
  changedAt: Date | null;
  lat: number;
  lng: number;
  refs: number[];
  members: RelationMember[];
}

/** Follows the elements of a change file: osmChange, action, object, and the object's content. */
class ChangeReader {
  readonly changes = noChanges();
  readonly #since: Date | undefined;
  readonly #parser = new SaxesParser();
  #isChangeFile = false;
  #action = '';
  #object: ObjectInProgress | undefined;
  #depth = 0;

  constructor(since: Date | undefined) {
    this.#since = since;
    this.#parser.on('error', (error) => {
      throw new ChangeFileError(error.message);
    });
    this.#parser.on('opentag', (tag) => {
      this.#open(tag);
    });
    this.#parser.on('closetag', ({ name }) => {
      this.#close(name);
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
    if (!this.#isChangeFile) throw new ChangeFileError('it has no osmChange element');
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    if (++this.#depth > DEPTH_MAX) throw new ChangeFileError('its elements are nested too deeply');
    if (!this.#isChangeFile) {
      if (name !== 'osmChange') throw new ChangeFileError(`it begins with ${name}`);
      this.#isChangeFile = true;
    } else if (ACTIONS.has(name)) this.#action = name;
    else if (name === 'node' || name === 'way' || name === 'relation') this.#begin(name, attributes);
    else if (this.#object !== undefined) readInside(this.#object, name, attributes);
  }

  #begin(kind: ObjectInProgress['kind'], attributes: SaxesTagPlain['attributes']): void {
    const id = Number(attributes['id']);
    if (!Number.isSafeInteger(id)) throw new ChangeFileError(`a ${kind} has no usable id`);
    const timestamp = Date.parse(attributes['timestamp'] ?? '');
    const changedAt = Number.isNaN(timestamp) ? null : new Date(timestamp);
    const [lat, lng] = [Number(attributes['lat']), Number(attributes['lon'])];
    this.#object = { kind, id, changedAt, lat, lng, tags: new Map(), refs: [], members: [] };
  }

  #close(name: string): void {
    this.#depth--;
    const object = this.#object;
    if (name === this.#action) this.#action = '';
    if (object === undefined || name !== object.kind) return;
    this.#object = undefined;
    const { id, changedAt, tags, lat, lng, refs, members } = object;
    if (this.#action === '')
      throw new ChangeFileError(`${name} ${id} is neither created, modified nor deleted`);
    if (changedAt !== null && this.#since !== undefined && changedAt <= this.#since) return;
    if (changedAt !== null && (this.changes.newest === null || changedAt > this.changes.newest))
      this.changes.newest = changedAt;
    const isGone = this.#action === 'delete';
    if (name === 'way') this.changes.ways.set(id, isGone ? null : { id, tags, changedAt, refs });
    else if (name === 'relation')
      this.changes.relations.set(id, isGone ? null : { id, tags, changedAt, members });
    else {
      const isPlaced = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
      if (!isGone && !isPlaced) throw new ChangeFileError(`node ${id} has no position`);
      this.changes.nodes.set(id, isGone ? null : { id, tags, changedAt, lat, lng });
    }
  }
}

function readInside(object: ObjectInProgress, name: string, attributes: SaxesTagPlain['attributes']): void {
  if (name === 'tag') object.tags.set(attributes['k'] ?? '', attributes['v'] ?? '');
  const ref = Number(attributes['ref']);
  if (name === 'nd' && Number.isSafeInteger(ref)) object.refs.push(ref);
  const type = attributes['type'] ?? '';
  if (name === 'member' && Number.isSafeInteger(ref) && MEMBER_TYPES.includes(type))
    object.members.push({ type: type as RelationMember['type'], ref, role: attributes['role'] ?? '' });
}
