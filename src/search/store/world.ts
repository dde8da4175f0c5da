import { readSpot, SPOT_BYTES, writeSpot, type Spot } from './hash-table.ts';
import type { IndexStore } from './index-store.ts';
import { bytesOf } from './keys.ts';

/** Places by their serials in the world, so many under one key. */
export const WORLD_PIECE = 256;

const pieceKey = (serial: number) => bytesOf(Math.floor(serial / WORLD_PIECE), 3);

export function spotAt({ world }: IndexStore, serial: number): Spot | undefined {
  const piece = world.getBinaryFast(pieceKey(serial));
  const at = (serial % WORLD_PIECE) * SPOT_BYTES;
  return piece === undefined || at >= piece.length ? undefined : readSpot(piece, at);
}

/** Notes where places are, whose serials belong to one piece. */
export function noteSpots({ world }: IndexStore, spots: readonly Spot[]): void {
  const [{ world: first } = { world: 0 }] = spots;
  const old = world.getBinary(pieceKey(first));
  const end = Math.max(...spots.map((spot) => spot.world % WORLD_PIECE)) + 1;
  const piece = Buffer.alloc(Math.max(old?.length ?? 0, end * SPOT_BYTES));
  old?.copy(piece);
  for (const spot of spots) writeSpot(piece, (spot.world % WORLD_PIECE) * SPOT_BYTES, spot);
  world.putSync(pieceKey(first), piece);
}
