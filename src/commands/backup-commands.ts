import { resolve } from 'node:path';
import { BackupError } from '../backup/backup-error.ts';
import type { Manifest } from '../backup/manifest.ts';
import { checkBackup, restoreBackup } from '../backup/restore-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { describeInstallation, shellQuote } from '../core/installation.ts';
import { openAsItIs } from '../node/database.ts';
import { openPhotoStorage } from '../photos/storage/open-storage.ts';
import { formatCount } from '../core/text/format-count.ts';
import { bar, printLine } from './command.ts';

export async function backupCommand(file: string): Promise<void> {
  const config = loadConfig();
  const path = resolve(file);
  const database = await openAsItIs(config, 'tool', printLine);
  try {
    const { manifest, bytes } = await takeBackup(path, {
      pool: database.pool,
      storage: openPhotoStorage(config),
      servicePrefix: config.prefix,
      now: systemClock.now(),
      progress: { tables: bar('Tables, bytes'), photos: bar('Photos, files') },
    });
    printLine(
      `${contents(manifest)} of ${describeInstallation(config)}, ${(bytes / 1e6).toFixed(1)} MB: ${path}`,
    );
    printMissing(manifest);
    printLine(
      'It contains personal data and the keys of the service. Only you can read it; keep it that way.',
    );
    printLine(`Try it: npx waypost backup verify ${shellQuote(path)}`);
  } finally {
    await database.close();
  }
}

export async function restoreCommand(file: string): Promise<void> {
  const config = loadConfig();
  const backup = await checkBackup(resolve(file), bar('Hashes, bytes'));
  const { manifest } = backup;
  await restoreBackup(backup, {
    settings: config,
    open: () => openAsItIs(config, 'restore', printLine),
    progress: { tables: bar('Tables, bytes'), photos: bar('Photos, files') },
  });
  printLine(
    `Restored ${contents(manifest)} into ${describeInstallation(config)}, as of ${manifest.made_at}.`,
  );
  printMissing(manifest);
  if (manifest.service_prefix !== config.prefix)
    printLine(
      `Keys of this backup begin with ${manifest.service_prefix}_: set SERVICE_PREFIX=${manifest.service_prefix}, or they are refused.`,
    );
  printLine(
    `${formatCount(manifest.jobs.rows, 'job')} that were waiting, including messages, continue at the next start.`,
  );
}

/** Restores into a temporary folder, starts the service on it and compares. */
export async function verifyCommand(file: string): Promise<void> {
  const { verifyBackup } = await import('./verify-backup.ts');
  const path = resolve(file);
  const failed = await verifyBackup(path, printLine);
  if (failed.length > 0) throw new BackupError(`${path} is not a reliable backup: ${failed.join(', ')}.`);
  printLine('Everything matches: the backup is reliable.');
}

function contents({ tables, photos }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${formatCount(rows, 'row')} of ${formatCount(tables.length, 'table')} and ${formatCount(photos.files, 'photo file')}`;
}

function printMissing({ photos }: Manifest): void {
  if (photos.missing.length === 0) return;
  printLine(
    `The photo store lacks ${formatCount(photos.missing.length, 'file')} that the database refers to:`,
  );
  for (const key of photos.missing) printLine(`  ${key}`);
}
