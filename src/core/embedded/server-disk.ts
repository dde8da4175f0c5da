import { readFileSync } from 'node:fs';
import path from 'node:path';

const FULL = /No space left on device|Check free disk space|Disk quota exceeded/;
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;

/** Whether what PostgreSQL or one of its programs said tells of a disk without room. */
export function saysDiskFull(text: string): boolean {
  return FULL.test(text);
}

export function diskFull(dataDir: string): string {
  return `The disk of ${dataDir} is full. Make room there, and start again.`;
}

/**
 * Whether the server of a data directory has said so while this process runs. Without room for its log it ends at once,
 * and whoever asked it something hears only that the connection is gone.
 */
export function serverDiskWasFull(dataDir: string): boolean {
  const begun = new Date(performance.timeOrigin).toISOString().replace('T', ' ');
  try {
    const lines = readFileSync(path.join(dataDir, 'postgres.log'), 'utf8').split('\n');
    return lines.some((line) => saysDiskFull(line) && MOMENT.test(line) && line > begun);
  } catch {
    return false;
  }
}
