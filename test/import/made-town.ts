import assert from 'node:assert/strict';
import { after, beforeEach } from 'node:test';
import { applyFieldClaims, type ClaimSet } from '../../src/directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../src/directory/provenance/stored-claims.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { seconds, shopsAround } from './import-directory.ts';
import type { MadeNode } from './readers/write-osm-pbf.ts';

/** A directory that holds one destination and no place before each test. */
export const database = await createTestDatabase();
after(() => database.drop());
beforeEach(async () => {
  await database.pool`delete from place`;
  await database.pool`delete from import_area`;
  await database.pool`delete from area`;
  await database.pool`delete from place_removed`;
  await database.pool`delete from destination`;
  await addDestination('town', { west: 1, south: 42, east: 2, north: 43 });
});

export async function addDestination(
  slug: string,
  { west, south, east, north }: { west: number; south: number; east: number; north: number },
): Promise<void> {
  const id = `dst_${slug.replaceAll(/[^a-hjkmnp-tv-z]/g, '0').padEnd(26, '0')}`;
  await database.pool`
    insert into destination (id, slug, name, country, timezone, lat, lng, west, south, east, north)
    values (${id}, ${slug}, ${slug}, 'AD', 'Europe/Andorra', ${south}, ${west}, ${west}, ${south}, ${east}, ${north})`;
}

export function cafe(id: number, name: string, tags: Record<string, string> = {}): MadeNode {
  // A hundred metres apart, so that no two could be one place.
  return {
    id,
    lat: 42.5 + id / 1000,
    lng: 1.5,
    tags: { amenity: 'cafe', name, ...tags },
    changed: seconds('2024-11-01'),
  };
}

/** The cafés with shops all around them. */
export function townOf(...cafes: MadeNode[]): MadeNode[] {
  return [...cafes, ...shopsAround({ lat: 42.505, lng: 1.5 })];
}

export async function place(ref: string): Promise<Record<string, unknown>> {
  const [row] = await database.pool<Record<string, unknown>[]>`
    select *, changed_xid::text as changed_xid from place where source_ref = ${ref}`;
  assert.ok(row !== undefined, `${ref} is in the directory`);
  return row;
}

export async function evidence(ref: string): Promise<Record<string, unknown>[]> {
  const rows = await database.pool<Record<string, unknown>[]>`
    select e.kind, e.source_url, e.note, e.observed_at from closure_evidence e
    join place p on p.id = e.place_id where p.source_ref = ${ref}`;
  return [...rows];
}

/** Has somebody other than the map speak of a place. */
export async function said(ref: string, speaker: 'owner' | 'agent', says: ClaimSet['values']): Promise<void> {
  const [row] = await database.pool<{ id: string }[]>`select id from place where source_ref = ${ref}`;
  const by =
    speaker === 'owner'
      ? ({ by: 'owner', ref: 'venue', proof: 'claim' } as const)
      : ({ by: 'agent', ref: 'sub_x', proof: 'reviewed:stf_x' } as const);
  await database.pool.begin(async (tx) => {
    const places = await lockPlaceClaims(tx, [row?.id ?? '']);
    const at = '2025-01-02T00:00:00.000Z';
    await writePlaceClaims(
      tx,
      new Date(at),
      places.map((place) => applyFieldClaims(place, { ...by, at, values: says })),
    );
  });
}
