import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BackupError } from '../backup/backup-error.ts';
import {
  createIdentity,
  decryptFile,
  ENCRYPTED,
  encryptFile,
  isEncrypted,
  readRecipient,
} from '../backup/encrypt-backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { checkBackup, restoreBackup } from '../backup/restore-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { syncFolder } from '../core/files/sync-folder.ts';
import { describeInstallation, shellQuote } from '../core/installation.ts';
import { openAsItIs } from '../node/database.ts';
import { openPhotoStorage } from '../photos/storage/open-storage.ts';
import { formatCount } from '../core/text/format-count.ts';
import { DAY_MS } from '../core/time.ts';
import { bar, printLine, UsageError, wholeNumber, type Options } from './command.ts';

export async function backupCommand(_options: Options, file: string): Promise<void> {
  const path = resolve(file);
  await writeBackup(path);
  printLine('It contains personal data and the keys of the service. Only you can read it; keep it that way.');
  printLine(`Try it: npx waypost backup verify ${shellQuote(path)}`);
}

async function writeBackup(path: string): Promise<void> {
  const config = loadConfig();
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
  } finally {
    await database.close();
  }
}

const KEEP_DAYS = 14;
const KEEP_DAYS_MAX = 3_650;
/** Names of the backups in a folder. The first part is the time in UTC; a backup that was not verified says so. */
const OWN_NAME = /^waypost-(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)(?:\.unverified)?\.tar(?:\.age)?(?:\.part)?$/;

/** Writes one more backup into a folder, verifies it, encrypts it if wanted, and only then deletes old ones. */
export async function backupIntoCommand(options: Options, folder: string): Promise<void> {
  const keepDays = wholeNumber(options, 'keep-days', KEEP_DAYS, KEEP_DAYS_MAX);
  if (keepDays === 0) throw new UsageError('--keep-days must be at least 1.');
  const encrypter = options['recipient'] === undefined ? undefined : readRecipient(options['recipient']);
  const path = resolve(folder);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const now = systemClock.now();
  const name = join(path, `waypost-${now.toISOString().slice(0, 19).replaceAll(':', '')}`);
  const unverified = `${name}.unverified.tar`;
  await writeBackup(unverified);
  await verifyFile(unverified);
  const final = encrypter === undefined ? `${name}.tar` : `${name}.tar${ENCRYPTED}`;
  if (encrypter === undefined) await rename(unverified, final);
  else {
    await encryptFile(unverified, final, encrypter);
    await rm(unverified);
  }
  await syncFolder(path);
  printLine(`The backup is ${final}.`);
  for (const old of await readdir(path)) {
    if (!isExpired(old, now.getTime() - keepDays * DAY_MS)) continue;
    await rm(join(path, old), { force: true });
    printLine(`Deleted ${old}, which is older than ${formatCount(keepDays, 'day')}.`);
  }
}

function isExpired(name: string, before: number): boolean {
  const [, day, hours, minutes, seconds] = OWN_NAME.exec(name) ?? [];
  return day !== undefined && Date.parse(`${day}${hours}:${minutes}:${seconds}Z`) < before;
}

/** Makes the pair of keys for encrypted backups. Only the recipient is needed on the machine of the service. */
export async function backupKeyCommand(_options: Options, file: string): Promise<void> {
  const path = resolve(file);
  const recipient = await createIdentity(path);
  printLine(
    `The identity is in ${path}. Keep it away from this machine: without it no encrypted backup can be read.`,
  );
  printLine(`Recipient: ${recipient}`);
}

export async function restoreCommand(options: Options, file: string): Promise<void> {
  await decrypted(options, file, restoreFile);
}

async function restoreFile(path: string): Promise<void> {
  const config = loadConfig();
  const backup = await checkBackup(path, bar('Hashes, bytes'));
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
export async function verifyCommand(options: Options, file: string): Promise<void> {
  await decrypted(options, file, verifyFile);
}

/** Passes on the file, or a decrypted copy that is deleted afterwards. */
async function decrypted(
  options: Options,
  file: string,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const path = resolve(file);
  const { identity } = options;
  if (!(await isEncrypted(path))) {
    await use(path);
    return;
  }
  if (identity === undefined)
    throw new BackupError(`${path} is encrypted: name the file of its identity with --identity.`);
  const folder = await mkdtemp(join(tmpdir(), 'waypost-decrypted-'));
  try {
    const plain = join(folder, 'waypost.tar');
    await decryptFile(path, plain, resolve(identity));
    await use(plain);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function verifyFile(path: string): Promise<void> {
  const { verifyBackup } = await import('./verify-backup.ts');
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
