import { readFileSync } from 'node:fs';
import path from 'node:path';

const FULL = /No space left on device|Check free disk space|Disk quota exceeded/;
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;

/** True when output of PostgreSQL or one of its programs reports a full disk. */
export function saysDiskFull(text: string): boolean {
  return FULL.test(text);
}

export function diskFull(dataDir: string): string {
  return `The disk of ${dataDir} is full. Free some space there and start again.`;
}

/** True when the server reported a full disk since this process started. Clients only see that it ended. */
export function serverDiskWasFull(dataDir: string): boolean {
  const startedAt = new Date(performance.timeOrigin).toISOString().replace('T', ' ');
  try {
    const lines = readFileSync(path.join(dataDir, 'postgres.log'), 'utf8').split('\n');
    return lines.some((line) => saysDiskFull(line) && MOMENT.test(line) && line > startedAt);
  } catch {
    return false;
  }
}
