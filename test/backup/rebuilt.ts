import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MANIFEST, tableMember, type Manifest } from '../../src/backup/manifest.ts';
import { openArchive } from '../../src/backup/read-archive.ts';
import { ArchiveWriter, SUMS } from '../../src/backup/write-archive.ts';

export interface Contents {
  manifest: Manifest;
  members: Map<string, Buffer>;
}

/** Writes a backup anew with something else in it, and hashes of all members that fit. */
export async function rebuilt(
  from: string,
  to: string,
  change: (contents: Contents) => void,
): Promise<string> {
  const archive = await openArchive(from, () => undefined);
  const members = new Map<string, Buffer>();
  for (const name of archive.members.keys()) {
    if (name !== SUMS && name !== MANIFEST)
      members.set(name, Buffer.concat(await archive.stream(name).toArray()));
  }
  const manifest = JSON.parse(await archive.text(MANIFEST)) as Manifest;
  change({ manifest, members });
  const writer = await ArchiveWriter.create(to, new Date());
  for (const [name, bytes] of members) await writer.add(name, [bytes]);
  await writer.add(MANIFEST, [Buffer.from(JSON.stringify(manifest))]);
  await writer.finish();
  return to;
}

type Row = Record<string, string>;

/** Changes the rows of a table, each as the texts of its columns, and gives their hash. */
export function changeRows(
  { manifest, members }: Contents,
  table: string,
  change: (rows: Row[]) => Row[],
): string {
  const columns = manifest.tables.find(({ name }) => name === table)?.columns ?? [];
  const member = tableMember(table);
  const lines = zstdDecompressSync(members.get(member) ?? Buffer.alloc(0))
    .toString()
    .split('\n')
    .slice(0, -1);
  const rows = lines.map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']));
  });
  const text = change(rows)
    .map((row) => `${columns.map((column) => row[column]).join('\t')}\n`)
    .join('');
  members.set(member, zstdCompressSync(text));
  const record = manifest.tables.find(({ name }) => name === table);
  if (record !== undefined) record.bytes = Buffer.byteLength(text);
  return createHash('sha256').update(text).digest('hex');
}

/** The same so that the manifest agrees: only what the rows say can tell of it. */
export function changeRowsUnseen(contents: Contents, table: string, change: (rows: Row[]) => Row[]): void {
  let rows = 0;
  const sha256 = changeRows(contents, table, (before) => {
    const after = change(before);
    rows = after.length;
    return after;
  });
  const record = contents.manifest.tables.find(({ name }) => name === table);
  Object.assign(record ?? {}, { rows, sha256 });
}
