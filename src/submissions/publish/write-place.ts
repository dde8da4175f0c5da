import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { latinForm } from '../../core/text/fold.ts';
import { recordReopening } from '../../directory/closure/closure.ts';
import type { HoursContext } from '../../directory/hours/compile/compile-hours.ts';
import { compileSubmittedHours } from '../../directory/hours/submitted-hours.ts';
import type { StoredHours } from '../../directory/hours/stored-hours.ts';
import { locateBusiness } from '../locate-business.ts';
import { applyFieldClaims, type PlaceWithClaims } from '../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../directory/provenance/stored-claims.ts';
import { submissionClaims, type ApprovedSubmission } from './submission-claims.ts';
import type { BusinessContent } from '../submission.ts';

export async function writePlace(
  deps: OperationDeps,
  tx: Db,
  approved: ApprovedSubmission,
  placeId: string | null,
): Promise<string> {
  const [place] = placeId === null ? [] : await lockPlaceClaims(tx, [placeId]);
  return place === undefined ? addPlace(deps, tx, approved) : changePlace(deps, tx, approved, place);
}

async function addPlace(deps: OperationDeps, tx: Db, approved: ApprovedSubmission): Promise<string> {
  const { submissionId, content } = approved;
  const now = deps.clock.now();
  const id = deps.newId('plc');
  const at = await locateBusiness(deps, tx, content);
  const hours = readHours(content, { ...at, country: content.country, now }, at.zoneKnown);
  await tx`
    insert into place (id, destination_id, name, latin_name, vertical, category, country, lat, lng, verified_at,
      observed_at, source, source_ref, created_at, updated_at)
    values (${id}, ${at.destinationId}, ${content.name}, ${latinForm(content.name) ?? null}, 'other', 'other', ${content.country}, ${content.lat}, ${content.lng},
      ${now}, ${now}, 'submission', ${submissionId}, ${now}, ${now})`;
  const added = (await lockPlaceClaims(tx, [id])).map((place) =>
    applyFieldClaims(place, submissionClaims(approved, hours, now)),
  );
  await writePlaceClaims(tx, now, added);
  await addAccolades(tx, id, content);
  return id;
}

async function changePlace(
  deps: OperationDeps,
  tx: Db,
  approved: ApprovedSubmission,
  place: PlaceWithClaims,
): Promise<string> {
  const { content, byOwner } = approved;
  const now = deps.clock.now();
  const [at] = await tx<(Omit<HoursContext, 'now'> & { closed: boolean })[]>`
    select coalesce(p.lat, d.lat) as lat, coalesce(p.lng, d.lng) as lng, p.country, p.regions, d.timezone, p.closed_at is not null as closed
    from place p join destination d on d.id = p.destination_id where p.id = ${place.id}`;
  if (at === undefined) throw new Error('A place that was locked cannot be read.');
  const hours = readHours(content, { ...at, now }, true);
  await writePlaceClaims(tx, now, [applyFieldClaims(place, submissionClaims(approved, hours, now))]);
  await tx`
    update place set verified_at = ${now}, updated_at = ${now},
      observed_at = case when source = 'submission' then ${now} else observed_at end
    where id = ${place.id}`;
  if (place.badge !== 'claimed' || byOwner) await movePlace(deps, tx, approved, place.id);
  await addAccolades(tx, place.id, content);
  if (at.closed) {
    const note = 'A reviewer approved a submission that lists the place as open.';
    await recordReopening(tx, now, { placeId: place.id, note, source: 'staff' });
  }
  return place.id;
}

/**
 * Updates the position of a place that this submission created, or of a submitted one without a position, unless the
 * venue has moved its pin.
 */
async function movePlace(
  deps: OperationDeps,
  tx: Db,
  { submissionId, content }: ApprovedSubmission,
  placeId: string,
): Promise<void> {
  if (content.lat === null) return;
  const at = await locateBusiness(deps, tx, content);
  await tx`
    update place set lat = ${at.lat}, lng = ${at.lng}, destination_id = ${at.destinationId}, filled_by = filled_by - 'position'
    where id = ${placeId} and source = 'submission' and (source_ref = ${submissionId} or lat is null)
      and field_claims -> 'lat' is null`;
}

/** Compiles the submitted hours, unless the time zone is uncertain; then they are shown as text only. */
function readHours(content: BusinessContent, place: HoursContext, zoneKnown: boolean): StoredHours | null {
  if (content.hours === null) return null;
  const { text, compiled } = compileSubmittedHours(content.hours, place);
  return {
    text,
    source: 'reviewer',
    observed_at: place.now.toISOString(),
    compiled: zoneKnown ? compiled : null,
  };
}

async function addAccolades(tx: Db, placeId: string, { claims }: BusinessContent): Promise<void> {
  for (const { text, source_url } of claims) {
    await tx`
      insert into accolade (place_id, title, source_name, source_url)
      values (${placeId}, ${text}, ${new URL(source_url).hostname}, ${source_url})
      on conflict (place_id, title) do nothing`;
  }
}
