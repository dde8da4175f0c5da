import { iso1A2Code } from '@rapideditor/country-coder';
import type { Ctx } from '../core/context.ts';
import { metresBetween, type Point } from '../core/geo.ts';
import type { Db } from '../core/postgres/db.ts';
import { claimsFor, VENUE, type PlaceWithClaims } from '../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims } from '../directory/provenance/stored-claims.ts';
import { CoveringDestination, type ImportDestination } from '../import/load/covering-destination.ts';
import { editListing } from './edit-listing.ts';

/** Within this distance of a published or approved position, a venue moves its pin without a reviewer. */
export const FREE_METRES = 150;

/** Maps state more decimals than a form shows. */
const SAME_METRES = 0.2;

type PinMoveOutcome = 'moved' | 'waiting' | 'unchanged' | 'outside';

/** A move that a reviewer decides about. */
export interface PinMove {
  id: string;
  placeId: string;
  name: string;
  address: string | null;
  /** The address that the venue asks for; null where it stays. */
  newAddress: string | null;
  from: Point | null;
  to: Point;
  askedAt: Date;
  state: 'waiting' | 'approved' | 'rejected' | 'withdrawn';
  reason: string | null;
}

type MoveContext = Pick<Ctx, 'now' | 'audit'>;

/**
 * Moves the pin of a venue: at once near a position that others state or that a reviewer approved, otherwise, and with
 * another address, when a reviewer has agreed. The distance is not that from the venue's own pin, or small steps would lead anywhere.
 */
export async function movePin(
  tx: Db,
  context: MoveContext,
  { placeId, destination, to, address }: AskedMove,
): Promise<PinMoveOutcome> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  if (place === undefined) throw new Error('The place of a signed-in venue cannot be read.');
  const { lat, lng } = place;
  const newAddress = address === '' || address === (place.address ?? '') ? null : address;
  if (newAddress === null && lat !== null && lng !== null && metresBetween({ lat, lng }, to) < SAME_METRES)
    return (await withdrawMove(tx, context.now, placeId)) ? 'moved' : 'unchanged';
  const known = [...positionsOfOthers(place), ...(await approvedPositions(tx, placeId))];
  if (newAddress === null && known.some((point) => metresBetween(point, to) <= FREE_METRES)) {
    await withdrawMove(tx, context.now, placeId);
    await editListing(tx, context, { placeId, part: 'position', value: { ...to, ...ownAddress(place) } });
    return 'moved';
  }
  if (!isWithinDestination(destination, to)) return 'outside';
  const [waiting] = await tx`
    select 1 from venue_move where place_id = ${placeId} and state = 'waiting' and lat = ${to.lat} and lng = ${to.lng}
      and address is not distinct from ${newAddress}`;
  if (waiting !== undefined) return 'unchanged';
  await withdrawMove(tx, context.now, placeId);
  await tx`
    insert into venue_move (place_id, from_lat, from_lng, from_address, lat, lng, address, asked_at)
    values (${placeId}, ${place.lat}, ${place.lng}, ${place.address}, ${to.lat}, ${to.lng}, ${newAddress}, ${context.now})`;
  context.audit(placeId, { part: 'position', waiting: true });
  return 'waiting';
}

interface AskedMove {
  placeId: string;
  destination: ImportDestination;
  to: Point;
  /** Empty: the address stays. */
  address: string;
}

/** The address that the venue set before, which a move of its pin keeps. */
function ownAddress(place: PlaceWithClaims): { address?: string } {
  const claim = claimsFor(place, 'address').find(({ ref }) => ref === VENUE);
  return claim?.value == null ? {} : { address: claim.value };
}

function positionsOfOthers(place: PlaceWithClaims): Point[] {
  return claimsFor(place, 'lat').flatMap(({ ref, value: lat }) => {
    const lng = claimsFor(place, 'lng').find((claim) => claim.ref === ref)?.value ?? null;
    return ref === VENUE || lat === null || lng === null ? [] : [{ lat, lng }];
  });
}

function approvedPositions(tx: Db, placeId: string): Promise<Point[]> {
  return tx<Point[]>`
    select lat, lng from venue_move where place_id = ${placeId} and state = 'approved' order by id desc limit 1`;
}

/** True for a position within the destination and in its country. */
export function isWithinDestination(destination: ImportDestination, to: Point): boolean {
  const country = iso1A2Code([to.lng, to.lat], { level: 'territory' });
  return (
    new CoveringDestination([destination]).at(to) !== undefined &&
    (country === null || country === destination.country)
  );
}

/** Takes a waiting move back. False when none waits. */
export async function withdrawMove(tx: Db, now: Date, placeId: string): Promise<boolean> {
  const { count } = await tx`
    update venue_move set state = 'withdrawn', decided_at = ${now} where place_id = ${placeId} and state = 'waiting'`;
  return count > 0;
}

interface MoveDecision {
  moveId: string;
  staffId: string;
  decision: 'approved' | 'rejected';
  /** Text for the venue; required for a rejection. */
  reason: string | null;
}

/** Decides about a waiting move. Returns its place; undefined when it no longer waits. */
export async function decideMove(
  tx: Db,
  context: MoveContext,
  { moveId, staffId, decision, reason }: MoveDecision,
): Promise<string | undefined> {
  // Locks the place before the move, as the venue's own change does.
  const [waiting] = await tx<{ placeId: string }[]>`
    select place_id as "placeId" from venue_move where id::text = ${moveId} and state = 'waiting'`;
  if (waiting === undefined) return undefined;
  const [place] = await lockPlaceClaims(tx, [waiting.placeId]);
  const [move] = await tx<{ placeId: string; lat: number; lng: number; address: string | null }[]>`
    update venue_move set state = ${decision}, decided_by = ${staffId}, decided_at = ${context.now},
      reason = ${decision === 'rejected' ? reason : null}
    where id::text = ${moveId} and state = 'waiting' returning place_id as "placeId", lat, lng, address`;
  if (move === undefined || place === undefined) return undefined;
  const { placeId, lat, lng, address } = move;
  const value = { lat, lng, ...(address === null ? ownAddress(place) : { address }) };
  if (decision === 'approved') await editListing(tx, context, { placeId, part: 'position', value });
  return placeId;
}

interface MoveRow extends Omit<PinMove, 'from' | 'to'> {
  from_lat: number | null;
  from_lng: number | null;
  lat: number;
  lng: number;
}

const MOVE_SQL = `
  select m.id::text as id, m.place_id as "placeId", p.name, coalesce(m.from_address, p.address) as address,
         m.address as "newAddress", m.from_lat, m.from_lng, m.lat, m.lng,
         m.asked_at as "askedAt", m.state, m.reason
  from venue_move m join place p on p.id = m.place_id`;

function pinMoveOf({ from_lat, from_lng, lat, lng, ...move }: MoveRow): PinMove {
  const from = from_lat === null || from_lng === null ? null : { lat: from_lat, lng: from_lng };
  return { ...move, from, to: { lat, lng } };
}

/** Lists the moves that wait, the oldest first. */
export async function listWaitingMoves(db: Db, limit: number): Promise<PinMove[]> {
  const rows = await db<MoveRow[]>`
    ${db.unsafe(MOVE_SQL)} where m.state = 'waiting' and p.removed_at is null order by m.id limit ${limit}`;
  return rows.map(pinMoveOf);
}

/** Returns the last move that a reviewer was asked about, unless the venue took it back. */
export async function latestMove(db: Db, placeId: string): Promise<PinMove | undefined> {
  const rows = await db<MoveRow[]>`
    ${db.unsafe(MOVE_SQL)} where m.place_id = ${placeId} and m.state <> 'withdrawn' order by m.id desc limit 1`;
  return rows.map(pinMoveOf)[0];
}
