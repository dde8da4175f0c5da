/** Tile of the web map grid: zoom, column from the west, row from the north. */
export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/** Number of tiles at all zooms below this one. */
function tilesBelow(z: number): number {
  return (4 ** z - 1) / 3;
}

/** Returns the number of a tile in an archive: zoom by zoom, each along a Hilbert curve, so that neighbours are close. */
export function tileIdOf({ z, x, y }: TileAddress): number {
  let [id, column, row] = [tilesBelow(z), x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = (column & side) > 0;
    const down = (row & side) > 0;
    id += side * side * ((right ? 3 : 0) ^ (down ? 1 : 0));
    if (down) continue;
    if (right) [column, row] = [side - 1 - (column & (side - 1)), side - 1 - (row & (side - 1))];
    [column, row] = [row, column];
  }
  return id;
}

/** Returns the tile with this number; the inverse of `tileIdOf`. */
export function tileAddressOf(id: number): TileAddress {
  let z = 0;
  while (tilesBelow(z + 1) <= id) z++;
  let rest = id - tilesBelow(z);
  let [x, y] = [0, 0];
  for (let side = 1; side < 2 ** z; side *= 2) {
    const quarter = rest % 4;
    rest = Math.floor(rest / 4);
    const right = quarter >= 2;
    const down = quarter === 1 || quarter === 2;
    if (!down) {
      if (right) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
    if (right) x += side;
    if (down) y += side;
  }
  return { z, x, y };
}
