import { copyField, copyInto, storableJson } from '../core/postgres/copy-into.ts';
import { setStatementTimeout, type Db, type Pool } from '../core/postgres/db.ts';
import type { Progress } from '../core/progress.ts';
import { recognizePlatform } from '../directory/booking-route/platforms.ts';
import { applyEnrichment } from './enrich/apply-enrichment.ts';
import { readEnrichment } from './enrich/enrichment-reader.ts';
import { parseEnrichmentRow } from './enrich/enrichment-row.ts';
import { matchRows, type MatchCounts } from './enrich/match-rows.ts';

interface EnrichOptions {
  file: string;
  now: Date;
  progress: (label: string) => Progress;
}

export interface EnrichReport extends MatchCounts {
  read: number;
  /** Rows without a name or position, or with an impossible value. */
  unusable: number;
  updated: number;
}

const BATCH_ROWS = 2_000;

/** Adds a web-mapping provider's data to existing places, in one transaction. */
export async function enrichPlaces(pool: Pool, options: EnrichOptions): Promise<EnrichReport> {
  return pool.begin(async (tx) => {
    await setStatementTimeout(tx, 0);
    // A concurrent import could close or move the places that are being matched.
    await tx`select pg_advisory_xact_lock(hashtext('waypost/import'))`;
    const { read, unusable } = await stageRows(tx, options);
    const matches = await matchRows(tx, read - unusable, options.progress('Matching'));
    const updated = await applyEnrichment(tx, options.now);
    return { read, unusable, ...matches, updated };
  });
}

async function stageRows(
  tx: Db,
  { file, progress }: EnrichOptions,
): Promise<{ read: number; unusable: number }> {
  await tx`
    create temp table enrich_row (
      n integer primary key, lat float8, lng float8, said jsonb, booking_platform text, place_id text, score float8)
    on commit drop`;
  const counts = { read: 0, unusable: 0 };
  let lines = '';
  const send = async () => {
    if (lines !== '')
      await copyInto(tx, 'enrich_row (n, lat, lng, said, booking_platform)', [Buffer.from(lines)]);
    lines = '';
  };
  for await (const rawRow of readEnrichment(file, progress('Reading'))) {
    const row = parseEnrichmentRow(rawRow);
    const n = ++counts.read;
    if (row === null) counts.unusable++;
    else {
      const platform = recognizePlatform(row.booking_url ?? '')?.name ?? null;
      lines += `${[n, row.lat, row.lng, storableJson(row), platform].map(copyField).join('\t')}\n`;
    }
    if (n % BATCH_ROWS === 0) await send();
  }
  await send();
  await tx`analyze enrich_row`;
  return counts;
}
