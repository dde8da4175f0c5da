import { z } from 'zod';
import type { Archive } from './read-archive.ts';
import { BackupError } from './backup-error.ts';

export const MANIFEST = 'manifest.json';
/** Of the layout of the file. One that is newer than this program knows is refused. */
export const FORMAT = 1;

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** The size of its lines before they are packed. */
  bytes: z.int(),
  /** Over those lines, so that a restored table can be compared with them. */
  sha256: z.string(),
});

const manifest = z.object({
  format: z.int(),
  made_at: z.string(),
  postgres: z.string(),
  /** The setting that every key begins with: with another one, keys of the backup are refused. */
  service_prefix: z.string(),
  database_bytes: z.int(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(table),
  jobs: table,
  sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
  ledger: z.array(z.object({ kind: z.string(), cents: z.int() })),
  photos: z.object({
    files: z.int(),
    bytes: z.int(),
    /** Uploads that wait to be made clean. Others that the archive may hold belong to no row any more. */
    uploads: z.array(z.string()),
    /** Files that rows name and that the store did not have. */
    missing: z.array(z.string()),
  }),
});

export type Manifest = z.infer<typeof manifest>;
export type TableRecord = z.infer<typeof table>;

export async function readManifest(archive: Archive): Promise<Manifest> {
  const given = z.looseObject({ format: z.int() }).safeParse(parsed(await archive.text(MANIFEST)));
  if (!given.success) throw new BackupError(`${archive.path} is not a backup.`);
  if (given.data.format > FORMAT)
    throw new BackupError(`${archive.path} was made by a newer version of Waypost. Upgrade the program.`);
  return manifest.parse(given.data);
}

function parsed(text: string): unknown {
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
