import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeRequest } from '../../core/egress/egress.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';
import { ImportFileError } from '../import-file-error.ts';
import type { Replication } from '../pbf/header-block.ts';

/** Maximum number of change files per import: a day of minutely files, or almost four years of daily ones. */
const FILES_MAX = 1_440;
const CHANGES_BYTES_MAX = 512 * 2 ** 20;
const STATE_BYTES_MAX = 4_096;
const TIMEOUT_MS = 300_000;

/** Downloads the change files after the last applied one, in order, into a folder. */
export async function fetchChanges(
  egress: EgressPolicy,
  { url, sequence }: Replication,
  folder: string,
  signal: AbortSignal,
): Promise<{ files: string[]; sequence: number }> {
  const state = await get(egress, addressOf(url, 'state.txt'), STATE_BYTES_MAX, signal);
  const newest = Number(/^sequenceNumber=(\d+)/m.exec(state.toString())?.[1]);
  if (!Number.isSafeInteger(newest))
    throw new ImportFileError(`${addressOf(url, 'state.txt')} contains no sequence number of a change file.`);
  const files: string[] = [];
  const last = Math.min(newest, sequence + FILES_MAX);
  for (let number = sequence + 1; number <= last; number++) {
    const file = join(folder, `${number}.osc.gz`);
    await writeFile(file, await get(egress, addressOf(url, pathOf(number)), CHANGES_BYTES_MAX, signal));
    files.push(file);
  }
  return { files, sequence: Math.max(sequence, last) };
}

function addressOf(url: string, path: string): string {
  return `${url.replace(/\/+$/, '')}/${path}`;
}

/** Returns the path of a change file: 4123456 is in 004/123/456.osc.gz. */
function pathOf(sequence: number): string {
  const digits = String(sequence).padStart(9, '0');
  return `${digits.slice(0, -6)}/${digits.slice(-6, -3)}/${digits.slice(-3)}.osc.gz`;
}

/** Requests a URL that comes from a third party's file, so it goes through the egress policy. */
async function get(
  egress: EgressPolicy,
  url: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const { status, body } = await safeRequest(egress, url, {
    ...{ method: 'GET', plainHttp: true, keepBody: true, timeoutMs: TIMEOUT_MS },
    ...{ maxBytes, signal, headers: { 'user-agent': 'waypost-import' } },
  });
  if (status !== 200 || body === undefined)
    throw new ImportFileError(`${url} answered with status ${status}.`);
  return body;
}
