import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Progress } from '../core/progress.ts';
import { BackupError } from './backup-error.ts';
import { readTarHeader, TAR_BLOCK, tarPadding } from './tar-header.ts';
import { SUMS } from './write-archive.ts';

export interface ArchiveMember {
  size: number;
  sha256: string;
}

/** The list of files and the manifest of the largest directory take a few megabytes. */
const TEXT_BYTES_MAX = 128 * 2 ** 20;
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
    const members = await readMembers(path, file, (done) => {
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

async function readMembers(path: string, file: FileHandle, progress: (done: number) => void) {
  const members = new Map<string, ArchiveMember & { at: number }>();
  const header = Buffer.alloc(TAR_BLOCK);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(header, 0, TAR_BLOCK, at);
    if (at === 0 && bytesRead < TAR_BLOCK) throw new BackupError(`${path} is not a backup.`);
    if (bytesRead < TAR_BLOCK) throw new BackupError(`${path} is truncated.`);
    const read = readTarHeader(header);
    if (read === undefined) return members;
    if (read === 'unreadable')
      throw new BackupError(at === 0 ? `${path} is not a backup.` : `${path} is damaged at byte ${at}.`);
    const { name, size } = read;
    if (!MEMBER_NAME.test(name))
      throw new BackupError(`${path} is damaged: a member at byte ${at} has no usable name.`);
    if (members.has(name)) throw new BackupError(`${path} is damaged: it contains ${name} twice.`);
    const begin = at + TAR_BLOCK;
    const sha256 = await hashPart(path, { at: begin, size }, progress);
    members.set(name, { at: begin, size, sha256 });
    at = begin + size + tarPadding(size);
  }
}

async function hashPart(
  path: string,
  { at, size }: { at: number; size: number },
  progress: (done: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  let done = 0;
  if (size > 0) {
    for await (const chunk of createReadStream(path, {
      start: at,
      end: at + size - 1,
      highWaterMark: 2 ** 20,
    })) {
      hash.update(chunk as Buffer);
      done += (chunk as Buffer).length;
      progress(at + done);
    }
  }
  if (done < size) throw new BackupError(`${path} is truncated.`);
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
