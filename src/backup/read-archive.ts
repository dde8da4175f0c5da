import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import type { Progress } from '../core/progress.ts';
import { BackupError } from './backup-error.ts';
import { SUMS, TAR_BLOCK, tarBlocks } from './write-archive.ts';

interface ArchiveMember {
  size: number;
  sha256: string;
}

/** The list of files and the manifest of the largest directory take a few megabytes. */
const TEXT_BYTES_MAX = 128 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;
/** Names as a backup writes them; they never lead out of a folder. */
const MEMBER_NAME = /^(?:[a-z0-9_-][a-z0-9_.-]*\/)*[a-z0-9_-][a-z0-9_.-]*$/i;

/** An archive in which all relevant bytes have been checked against their hashes. */
export class Archive {
  readonly path: string;
  readonly members: ReadonlyMap<string, ArchiveMember & { at: number }>;

  constructor(path: string, members: ReadonlyMap<string, ArchiveMember & { at: number }>) {
    this.path = path;
    this.members = members;
  }

  stream(name: string): Readable {
    const member = this.members.get(name);
    if (member === undefined) throw new BackupError(`${this.path} is damaged: ${name} is missing from it.`);
    // createReadStream cannot express an empty range.
    if (member.size === 0) return Readable.from([]);
    return createReadStream(this.path, { start: member.at, end: member.at + member.size - 1 });
  }

  async text(name: string): Promise<string> {
    if ((this.members.get(name)?.size ?? 0) > TEXT_BYTES_MAX)
      throw new BackupError(`${this.path} is damaged: its ${name} is too long.`);
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream(name)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}

/** Reads the whole file once and checks every hash, so that callers can rely on the archive. */
export async function openArchive(path: string, progress: Progress): Promise<Archive> {
  // Opening a pipe would block until somebody writes to it.
  const status = await stat(path).catch(() => undefined);
  if (status !== undefined && !status.isFile())
    throw new BackupError(`${path} is not a backup: it is not a file.`);
  const file = await open(path, 'r').catch((thrown: unknown) => {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new BackupError(`The backup cannot be read: ${message}.`, { cause: thrown });
  });
  try {
    const { size } = await file.stat();
    if (size === 0) throw new BackupError(`${path} is not a backup.`);
    const members = await readMembers(path, { file, size }, (done) => {
      progress(done, size);
    });
    const archive = new Archive(path, members);
    checkSums(archive, await archive.text(SUMS));
    progress(size, size);
    return archive;
  } finally {
    await file.close();
  }
}

async function readMembers(
  path: string,
  { file, size: fileSize }: { file: FileHandle; size: number },
  progress: (done: number) => void,
) {
  const members = new Map<string, ArchiveMember & { at: number }>();
  const source = file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES });
  const archive = extract();
  source.on('error', (thrown) => {
    archive.destroy(thrown);
  });
  source.pipe(archive);
  let at = 0;
  const cutOff = () => new BackupError(`${path} is truncated.`);
  const unreadable = (cause?: unknown) =>
    new BackupError(at === 0 ? `${path} is not a backup.` : `${path} is damaged at byte ${at}.`, { cause });
  try {
    for await (const entry of archive) {
      const { name, size } = entry.header;
      // Anything between two members is a header that a backup does not have, such as one for a long name.
      if (entry.offset !== at || !isPlainFile(entry.header)) throw unreadable();
      if (!MEMBER_NAME.test(name))
        throw new BackupError(`${path} is damaged: a member at byte ${at} has no usable name.`);
      if (members.has(name)) throw new BackupError(`${path} is damaged: it contains ${name} twice.`);
      const begin = at + TAR_BLOCK;
      if (begin + size > fileSize) throw cutOff();
      const sha256 = await hashContent(entry as AsyncIterable<Buffer>, (done) => {
        progress(begin + done);
      });
      members.set(name, { at: begin, size, sha256 });
      at = begin + tarBlocks(size);
    }
  } catch (thrown) {
    // A BackupError, or an error of the disk.
    if (thrown instanceof BackupError || (thrown as { code?: string }).code !== undefined) throw thrown;
    throw at > 0 && at + TAR_BLOCK > fileSize ? cutOff() : unreadable(thrown);
  } finally {
    source.destroy();
  }
  // The block of zeros that ends an archive.
  if (at + TAR_BLOCK > fileSize) throw at === 0 ? unreadable() : cutOff();
  return members;
}

/** False for links, folders and devices, which a backup does not contain, and for a size that cannot be. */
function isPlainFile({ type, size }: Header): boolean {
  // tar-stream reads the binary form of -1 as -0, and others that cannot be as null.
  return type === 'file' && Number.isSafeInteger(size) && size >= 0 && !Object.is(size, -0);
}

async function hashContent(content: AsyncIterable<Buffer>, progress: (done: number) => void) {
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    done += chunk.length;
    progress(done);
  }
  return hash.digest('hex');
}

function checkSums({ path, members }: Archive, sums: string): void {
  const listed = new Map(
    sums
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  );
  for (const [name, { sha256 }] of members) {
    if (name !== SUMS && listed.get(name) !== sha256)
      throw new BackupError(`${path} is damaged: ${name} does not match its hash.`);
  }
  for (const name of listed.keys())
    if (!members.has(name)) throw new BackupError(`${path} is damaged: ${name} is missing.`);
}
