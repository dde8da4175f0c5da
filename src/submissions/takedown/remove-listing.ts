import { cancelTablesAt } from '../../bookings/maintenance/cancel-at-removed-place.ts';
import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { REMOVAL_REASONS, removePlace, restorePlace, type RemovalReason } from '../../directory/removal.ts';
import { reasonCodes } from '../review/reason-codes.ts';
import { restoreSubmissions } from './restore-submissions.ts';
import { takeDownSubmissions, type TakedownReason } from './take-down.ts';

type RemovalContext = Pick<Ctx, 'deps' | 'now' | 'newId'>;

export interface Removal {
  placeId: string;
  reason: RemovalReason;
  /** The lead's own text. The operators of the listing's submissions read it. */
  note: string;
  staffId: string;
}

/**
 * Removes a listing that never was a real place, with its submissions and upcoming tables. Returns false if
 * it was already removed.
 */
export async function removeListing(tx: Db, ctx: RemovalContext, removal: Removal): Promise<boolean> {
  const { placeId, reason, note, staffId } = removal;
  if (!(await removePlace(tx, ctx.now, removal))) return false;
  const submissions = await tx<{ id: string }[]>`
    select id from submission where place_id = ${placeId} and kind = 'business'`;
  await takeDownSubmissions(tx, ctx, {
    submissions: submissions.map(({ id }) => id),
    reason: notARealPlace(`${REMOVAL_REASONS[reason].text} ${note}`),
    by: staffId,
    keepClaims: true,
  });
  await cancelTablesAt(tx, ctx, placeId);
  return true;
}

/** Undoes a removal. Tables that it cancelled stay cancelled. Returns false if the listing is not removed. */
export async function restoreListing(
  tx: Db,
  { deps, now }: RemovalContext,
  { placeId, staffId }: Pick<Removal, 'placeId' | 'staffId'>,
): Promise<boolean> {
  if (!(await restorePlace(tx, now, { placeId, staffId }))) return false;
  await restoreSubmissions(deps, tx, { placeId });
  return true;
}

export interface AgentListings {
  /** Places that exist only because of its submissions. */
  alone: string[];
  /** Other places with claims of this agent. */
  shared: string[];
}

export async function listingsOf(db: Db, agentId: string): Promise<AgentListings> {
  const places = await db<{ id: string; alone: boolean }[]>`
    select p.id, p.source = 'submission' and p.badge <> 'claimed'
      and not exists (select from place_reference r where r.place_id = p.id)
      and not exists (select from submission o where o.place_id = p.id and o.agent_id <> ${agentId} and o.live_revision is not null)
      and not exists (select from jsonb_each(p.field_claims) f cross join lateral jsonb_array_elements(f.value) w
                      where w->>'by' in ('map', 'provider', 'owner')) as alone
    from place p
    where p.removed_at is null and exists (
      select from submission s where s.place_id = p.id and s.agent_id = ${agentId} and s.live_revision is not null)
    order by p.id`;
  const { alone = [], shared = [] } = Object.groupBy(places, (place) => (place.alone ? 'alone' : 'shared'));
  return { alone: alone.map(({ id }) => id), shared: shared.map(({ id }) => id) };
}

/** Removes everything of an agent that invents businesses; places with other sources lose its claims. */
export async function removeListingsOf(
  tx: Db,
  ctx: RemovalContext,
  { agentId, note, staffId }: { agentId: string; note: string; staffId: string },
): Promise<AgentListings> {
  // Locks in id order, so that two concurrent removals do not deadlock.
  await tx`
    select 1 from place where id in (select place_id from submission where agent_id = ${agentId}) order by id for update`;
  const listings = await listingsOf(tx, agentId);
  for (const placeId of listings.alone)
    await removeListing(tx, ctx, { placeId, reason: 'invented', note, staffId });
  const rest = await tx<{ id: string }[]>`
    select s.id from submission s where s.agent_id = ${agentId} and s.kind = 'business'
      and not exists (select from place p where p.id = s.place_id and p.removed_at is not null)`;
  await takeDownSubmissions(tx, ctx, {
    submissions: rest.map(({ id }) => id),
    reason: notARealPlace(note),
    by: staffId,
  });
  return listings;
}

function notARealPlace(text: string): TakedownReason {
  return { code: 'not_a_real_place', text, fix: reasonCodes.not_a_real_place.fix };
}
