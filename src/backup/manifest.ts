import { z } from 'zod';
import type { Archive } from './read-archive.ts';
import { BackupError } from './backup-error.ts';

export const MANIFEST = 'manifest.json';
/** Version of the file layout. A newer format than this one is refused. */
export const FORMAT = 1;

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const plainText = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}]*$/u);
const amount = z.int().min(0);
/** The key of a file in the photo store. */
export const fileKey = z
  .string()
  .max(200)
  .regex(/^[a-z0-9_-]+(?:\/[a-z0-9_.-]+)*$/i);

const table = z.object({
  name: identifier,
  columns: z.array(identifier).min(1),
  rows: amount,
  /** Size of its lines before compression. */
  bytes: amount,
  /** Hash of those lines, so that a restored table can be compared with them. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  format: z.int(),
  made_at: z.iso.datetime(),
  postgres: plainText,
  /** The prefix of every key; with another setting, keys of the backup are refused. */
  service_prefix: z.string().regex(/^[a-z][a-z0-9]{1,15}$/),
  database_bytes: amount,
  migrations: z.array(z.object({ name: plainText, checksum: plainText })),
  tables: z.array(table),
  jobs: table,
  sequences: z.array(
    z.object({ name: identifier, last: z.string().regex(/^-?\d{1,19}$/), called: z.boolean() }),
  ),
  ledger: z.array(z.object({ kind: plainText, cents: z.int() })),
  photos: z.object({
    files: amount,
    bytes: amount,
    /** Uploads waiting to be processed. Other uploads in the archive no longer belong to any row. */
    uploads: z.array(fileKey),
    /** Files that rows reference but that the store did not have. */
    missing: z.array(fileKey),
  }),
});

export type Manifest = z.infer<typeof manifest>;
export type TableRecord = z.infer<typeof table>;

export async function readManifest(archive: Archive): Promise<Manifest> {
  const header = z.looseObject({ format: z.int() }).safeParse(parseJson(await archive.text(MANIFEST)));
  if (!header.success) throw new BackupError(`${archive.path} is not a backup.`);
  if (header.data.format > FORMAT)
    throw new BackupError(`${archive.path} was made by a newer version of Waypost. Upgrade the program.`);
  const read = manifest.safeParse(header.data);
  if (read.success) return read.data;
  const [fault] = read.error.issues;
  throw new BackupError(
    `${archive.path} is damaged: its manifest has no usable ${fault?.path.join('.') ?? ''}.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function tableMember(name: string): string {
  return `tables/${name}.copy.zst`;
}

export const JOBS_MEMBER = 'jobs.copy.zst';
export const PHOTO_FOLDER = 'photos/';
