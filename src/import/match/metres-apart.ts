import { metresBetween } from '../../core/geo.ts';
import type { MatchRecord } from './match-record.ts';

export function metresApart(a: Partial<MatchRecord>, b: Partial<MatchRecord>): number | null {
  if (a.lat == null || a.lng == null || b.lat == null || b.lng == null) return null;
  return metresBetween({ lat: a.lat, lng: a.lng }, { lat: b.lat, lng: b.lng });
}
