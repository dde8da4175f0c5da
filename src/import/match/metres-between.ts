import type { MatchRecord } from './match-record.ts';

const metresPerDegree = 111_195;

/** Returns the distance on a plane, which is exact enough for neighbours; `null` when a side has no position. */
export function metresApart(a: MatchRecord, b: MatchRecord): number | null {
  if (a.lat == null || a.lng == null || b.lat == null || b.lng == null) return null;
  // The shorter way around, so that positions on both sides of the date line are neighbours.
  const turn = Math.abs(a.lng - b.lng) % 360;
  const east = Math.min(turn, 360 - turn) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * metresPerDegree;
}
