import { metresBetween } from '../../core/geo.ts';
import type { MatchRecord } from './match-record.ts';

/** Returns the distance between two records; `null` when one has no position. */
export function metresApart(a: MatchRecord, b: MatchRecord): number | null {
  if (a.lat == null || a.lng == null || b.lat == null || b.lng == null) return null;
  return metresBetween({ lat: a.lat, lng: a.lng }, { lat: b.lat, lng: b.lng });
}
