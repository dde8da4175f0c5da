import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from '../../src/core/postgres/db.ts';
import { read } from '../search/bench.ts';
import {
  type Extract,
  EXTRACTS,
  extractFile,
  type MapObject,
  metresBetween,
  namesOf,
} from './map-objects.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
const run = promisify(execFile);
const FOLLOW_TRIES = 600;
const FOLLOW_PAUSE_MS = 100;
const TWIN_METRES = 80;
// Extracts without a date in the file.
const DATES: Partial<Record<Extract, string>> = { helsinki: '2019-04-21', 'tokyo-center': '2025-01-01' };

export interface Place {
  id: string;
  ref: string;
  name: string;
  names: Record<string, string>;
  lat: number;
  lng: number;
  destination: string;
  address: string | null;
  open: boolean;
}

/** Imports the extracts into the running service as the README says. */
export async function importExtracts(dataDir: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, DEMO: 'off' };
  const { stdout: help } = await run(process.execPath, [CLI, 'help']);
  const takesDates = help.includes('--as-of');
  for (const extract of EXTRACTS) {
    const date = DATES[extract];
    const asOf = takesDates && date !== undefined ? ['--as-of', date] : [];
    const args = [CLI, 'import', 'osm', extractFile(extract), '--auto-destinations', ...asOf];
    await run(process.execPath, args, { env });
  }
}

export function readPlaces(pool: Pool): Promise<Place[]> {
  return pool<Place[]>`
    select p.id, p.source_ref as ref, p.name, p.names, p.lat::float8 as lat, p.lng::float8 as lng,
      d.slug as destination, p.address, p.closed_at is null as open
    from place p join destination d on d.id = p.destination_id order by p.id`;
}

/** A running node follows an import by itself; it is asked when it holds what the database does. */
export async function whenFollowed(port: number, places: number): Promise<void> {
  for (let i = 0; i < FOLLOW_TRIES; i++) {
    const index = JSON.parse((await read(port, '/bench/index')) ?? '') as { places: number };
    if (index.places >= places) return;
    await sleep(FOLLOW_PAUSE_MS);
  }
  throw new Error(`The index did not follow: it holds fewer than ${places} places.`);
}

/** `node/1` and `osm:node/1` as `n1`, which is how osmium writes it. */
export function shortRef(ref: string): string {
  const found = /\b(n|w|r)[a-z]*\/?(\d+)$/.exec(ref);
  return found === null ? ref : `${found[1] ?? ''}${found[2] ?? ''}`;
}

const PLAIN_NAMES = new WeakMap<object, ReadonlySet<string>>();

/** The place is one of these objects, or their twin: of the same name, a few steps away. */
export function isOneOf(place: Place, objects: readonly MapObject[]): boolean {
  const ref = shortRef(place.ref);
  return objects.some((object) => object.ref === ref || isTwin(place, object));
}

function isTwin(place: Place, object: MapObject): boolean {
  if (metresBetween(object, place) >= TWIN_METRES) return false;
  const names = plainNames(place, () => [place.name, ...Object.values(place.names)]);
  return !names.isDisjointFrom(plainNames(object, () => namesOf(object)));
}

function plainNames(of: object, names: () => string[]): ReadonlySet<string> {
  const known = PLAIN_NAMES.get(of) ?? new Set(names().map(plain));
  PLAIN_NAMES.set(of, known);
  return known;
}

/** A text as it is compared: of two spaces in a row one is a slip of the map. */
export function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}
