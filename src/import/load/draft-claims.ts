import type { Db } from '../../core/postgres/db.ts';
import { fetchBatches } from '../fetch-batches.ts';
import {
  shownClaim,
  recordSource,
  applyFieldClaims,
  type ClaimSet,
  type ClaimedColumns,
  type PlaceWithClaims,
} from '../../directory/provenance/apply-field-claims.ts';
import type { FieldClaims } from '../../directory/provenance/field-claim.ts';
import { CLAIMED_COLUMNS, CLAIMED_SQL } from '../../directory/provenance/stored-claims.ts';

/** Columns that a draft does not have, because maps do not contain them. */
type Undrafted = (typeof UNDRAFTED)[number];
const UNDRAFTED = ['about', 'price_range', 'booking_method', 'chosen_by_venue', 'field_claims'] as const;
const DRAFTED = CLAIMED_COLUMNS.filter((column) => !(UNDRAFTED as readonly string[]).includes(column));

const BATCH_PLACES = 1_000;

export type Draft = Omit<ClaimedColumns, Undrafted> & { verified_at: string | null };

export const DRAFT_SQL = `jsonb_build_object('verified_at', d.verified_at,
  ${DRAFTED.map((column) => `'${column}', d.${column}`).join(', ')})`;

interface ClaimedDraft {
  place: Omit<PlaceWithClaims, 'verified_at' | 'updated_at'> & {
    verified_at: string | null;
    updated_at: string;
  };
  draft: Draft;
}

const WRITE = `
  update import_draft d set (${DRAFTED.join(', ')}, field_claims, field_claims_read) =
    row (${DRAFTED.map((column) => `r.${column}`).join(', ')}, r.field_claims, r.field_claims_read)
  from jsonb_populate_recordset(null::import_draft, $1::jsonb) r
  where d.source = r.source and d.source_ref = r.source_ref`;

/**
 * Applies the map's claims to the drafts of places that are claimed or have claims of other sources: the map replaces
 * only its own claims. All other drafts are used as they are. No rows are locked meanwhile; the draft keeps the claims
 * that it was computed from, and a place with newer claims is left to the next import.
 */
export async function applyDraftClaims(tx: Db): Promise<void> {
  await tx`
    alter table import_draft add column field_claims jsonb not null default '{}',
      add column field_claims_read jsonb not null default '{}'`;
  const query = `
    select row_to_json(s) as place, ${DRAFT_SQL} as draft
    from import_draft d
    join place p on p.source = d.source and p.source_ref = d.source_ref
    cross join lateral (select ${CLAIMED_SQL}) s
    where (p.field_claims <> '{}' or p.badge = 'claimed') and d.destination_id is not null and not d.disused`;
  for await (const batch of fetchBatches<ClaimedDraft>(tx, { cursor: 'claimed', query, rows: BATCH_PLACES }))
    await tx.unsafe(WRITE, [JSON.stringify(batch.map(claimedDraft))]);
}

function claimedDraft({
  place: { verified_at, updated_at, ...columns },
  draft,
}: ClaimedDraft): PlaceWithClaims & { field_claims_read: FieldClaims } {
  const place: PlaceWithClaims = {
    ...columns,
    verified_at: verified_at === null ? null : new Date(verified_at),
    updated_at: new Date(updated_at),
  };
  const claims = mapClaims(recordSource(place), draft);
  const { lat, lng } = draft;
  const updated = applyFieldClaims(place, { ...claims, values: { ...claims.values, lat, lng } });
  const ownName = updated.name_generated || shownClaim(updated, 'name')?.ref === place.source;
  return {
    ...updated,
    ...(updated.name_generated && { name: draft.name }),
    latin_name: ownName ? draft.latin_name : updated.latin_name,
    field_claims_read: place.field_claims,
  };
}

/** Returns the claims of a map that any of its records makes. The position is claimed by the record's own map alone. */
export function mapClaims(speaker: Omit<ClaimSet, 'values'>, draft: Draft): ClaimSet {
  const { city, address, phone, email, website, languages, hours } = draft;
  // A generated name is no statement of the map.
  const name = draft.name_generated ? null : draft.name;
  const { vertical, category, booking_url, booking_platform, verified_at } = draft;
  const booking_method = booking_platform === null ? 'phone' : 'venue_system';
  return {
    ...speaker,
    ...(verified_at === null ? {} : { at: new Date(verified_at).toISOString() }),
    values: {
      ...{ name, city, address, phone, email, website, languages, hours },
      kind: { vertical, category },
      booking: { booking_method, booking_url, booking_platform },
    },
  };
}
