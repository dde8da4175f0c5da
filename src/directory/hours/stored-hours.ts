import type { CompiledHours } from './compile/compiled-hours.ts';
import type { HoursSource } from './verified-hours.ts';

/** Hours of a place, with their source. */
export interface StoredHours {
  text: string | null;
  source: HoursSource;
  observed_at: string;
  compiled: CompiledHours | null;
}
