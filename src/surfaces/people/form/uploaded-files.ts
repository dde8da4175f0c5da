import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { allowSlowBody } from '../../../protocol/http/body-watch.ts';
import { oneLine } from '../../../core/text/visible-text.ts';

/** Room for the other fields of the form. */
const REST_BYTES = 64 * 1024;
const PARTS_MAX = 60;

/** A file that a form carried. It lies on the disk, for as long as its request is handled. */
export interface UploadedFile {
  /** The field of the form. */
  field: string;
  /** As the browser named it; nothing but people may rely on it. */
  name: string;
  size: number;
  /** The whole file, in memory. */
  read: () => Promise<Buffer>;
}

interface Upload {
  form: URLSearchParams;
  files: UploadedFile[];
}

/** Mounts routes whose forms carry files. The body stays on the connection until withUploadedFiles reads it. */
export function addUploadRoutes(scope: FastifyInstance, mount: (inner: FastifyInstance) => void): void {
  scope.register((inner, _options, done) => {
    inner.register(multipart);
    mount(inner);
    done();
  });
}

/**
 * Reads a form with its files, has them used, and removes them in every case. The other fields become the form of the
 * request, wherever they stand in the body. A field for which no file was chosen gives none.
 */
export async function withUploadedFiles<Result>(
  { config }: Pick<Deps, 'config'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  bytesMax: number,
  use: (files: readonly UploadedFile[]) => Promise<Result>,
): Promise<Result> {
  if (!request.isMultipart()) return use([]);
  allowSlowBody(request.raw);
  const handles: FileHandle[] = [];
  try {
    const { form, files } = await readUpload(request, bytesMax, () =>
      openTemporary(join(config.dataDir, 'uploads'), handles),
    ).catch((thrown: unknown) => {
      // The rest of the body is neither read nor taken for another request.
      reply.header('connection', 'close');
      request.raw.unpipe().resume();
      throw thrown instanceof AppError || isOfDisk(thrown) ? thrown : unreadable(thrown);
    });
    request.body = form;
    return await use(files);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function readUpload(
  request: FastifyRequest,
  bytesMax: number,
  openFile: () => Promise<FileHandle>,
): Promise<Upload> {
  let room = bytesMax + REST_BYTES;
  const take = (bytes: number) => {
    room -= bytes;
    if (room < 0)
      throw new AppError('body_too_large', `The form is larger than ${Math.round(bytesMax / 2 ** 20)} MB.`);
  };
  take(Number(request.headers['content-length'] ?? 0));
  room = bytesMax + REST_BYTES;
  // Who hung up meanwhile sends no end either.
  if (request.raw.destroyed) throw unreadable();
  const upload: Upload = { form: new URLSearchParams(), files: [] };
  const limits = { fileSize: room + 1, fieldSize: REST_BYTES, parts: PARTS_MAX };
  for await (const part of request.parts({ limits, isPartAFile })) {
    if (part.type === 'file') {
      const file = await store(part, await openFile(), take);
      if (file.name !== '' || file.size > 0) upload.files.push(file);
    } else {
      if (typeof part.value !== 'string') throw unreadable();
      if (part.valueTruncated) take(Infinity);
      take(Buffer.byteLength(part.value));
      upload.form.append(part.fieldname, part.value);
    }
  }
  return upload;
}

function isPartAFile(_field: string | undefined, _type: string | undefined, fileName: string | undefined) {
  return fileName !== undefined;
}

async function store(
  { fieldname, filename, file }: MultipartFile,
  handle: FileHandle,
  take: (bytes: number) => void,
): Promise<UploadedFile> {
  let size = 0;
  const counted = async function* () {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      take(chunk.length);
      size += chunk.length;
      yield chunk;
    }
  };
  await handle.writeFile(counted());
  return {
    field: fieldname,
    name: oneLine(filename),
    size,
    read: () => buffer(handle.createReadStream({ start: 0, autoClose: false })),
  };
}

/** Opens a file and takes its name away at once: the system removes it when it is closed, and when the process dies. */
async function openTemporary(folder: string, handles: FileHandle[]): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  handles.push(handle);
  await rm(path);
  return handle;
}

/** A disk that is full is our fault, and not that of the form. */
function isOfDisk(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

function unreadable(cause?: unknown): AppError {
  return new AppError('bad_request', 'The form cannot be read.', { cause });
}
