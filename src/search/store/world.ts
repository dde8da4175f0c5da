import { readSpot, SPOT_BYTES, writeSpot, type Spot } from './hash-table.ts';
import type { IndexStore } from './index-store.ts';
import { bytesOf } from './keys.ts';

/** Number of serials per key. */
const WORLD_PIECE = 256;

const pieceKey = (serial: number) => bytesOf(Math.floor(serial / WORLD_PIECE), 3);

export function spotAt({ world }: IndexStore, serial: number): Spot | undefined {
  const piece = world.getBinaryFast(pieceKey(serial));
  const at = (serial % WORLD_PIECE) * SPOT_BYTES;
  return piece === undefined || at >= piece.length ? undefined : readSpot(piece, at);
}

/** Writes the locations of all places, ordered by serial. */
export function writeWorld({ world }: IndexStore, spots: Buffer): void {
  const bytes = WORLD_PIECE * SPOT_BYTES;
  for (let at = 0; at < spots.length; at += bytes)
    world.putSync(pieceKey((at / bytes) * WORLD_PIECE), spots.subarray(at, at + bytes), {
      append: true,
    } as never);
}

export function noteSpot({ world }: IndexStore, spot: Spot): void {
  const key = pieceKey(spot.world);
  const at = (spot.world % WORLD_PIECE) * SPOT_BYTES;
  const old = world.getBinary(key);
  const piece = Buffer.alloc(Math.max(old?.length ?? 0, at + SPOT_BYTES));
  old?.copy(piece);
  writeSpot(piece, at, spot);
  world.putSync(key, piece);
}
