import type { CompiledHours } from './compile/compiled-hours.ts';
import type { HoursSource } from './verified-hours.ts';

export interface StoredHours {
  text: string | null;
  source: HoursSource;
  observed_at: string;
  compiled: CompiledHours | null;
}
