import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { allowSlowBody } from '../../../protocol/http/body-watch.ts';
import { oneLine } from '../../../core/text/visible-text.ts';

/** Size allowance for the other fields of the form. */
const REST_BYTES = 64 * 1024;
const PARTS_MAX = 60;

/** A file from a form. It is on disk while its request is handled. */
export interface UploadedFile {
  /** Name of the form field. */
  field: string;
  /** File name sent by the browser; for display only. */
  name: string;
  size: number;
  /** Reads the whole file into memory. */
  read: () => Promise<Buffer>;
  /** Copies the file to a path. */
  save: (path: string) => Promise<void>;
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
 * Reads a form with its files, passes them to `use`, and always removes them. The other fields become the request's
 * form, regardless of their position in the body. A field without a chosen file yields none.
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
      // Do not parse the rest of the body, and do not read it as another request.
      reply.header('connection', 'close');
      request.raw.unpipe().resume();
      throw thrown instanceof AppError || isDiskError(thrown) ? thrown : unreadable(thrown);
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
  let bytesLeft = bytesMax + REST_BYTES;
  const takeBytes = (bytes: number) => {
    bytesLeft -= bytes;
    if (bytesLeft < 0)
      throw new AppError('body_too_large', `The form is larger than ${Math.round(bytesMax / 2 ** 20)} MB.`);
  };
  takeBytes(Number(request.headers['content-length'] ?? 0));
  bytesLeft = bytesMax + REST_BYTES;
  // A client that disconnected meanwhile emits no end event either.
  if (request.raw.destroyed) throw unreadable();
  const upload: Upload = { form: new URLSearchParams(), files: [] };
  const limits = { fileSize: bytesLeft + 1, fieldSize: REST_BYTES, parts: PARTS_MAX };
  for await (const part of request.parts({ limits, isPartAFile })) {
    if (part.type === 'file') {
      const file = await store(part, await openFile(), takeBytes);
      if (file.name !== '' || file.size > 0) upload.files.push(file);
    } else {
      if (typeof part.value !== 'string') throw unreadable();
      if (part.valueTruncated) takeBytes(Infinity);
      takeBytes(Buffer.byteLength(part.value));
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
  takeBytes: (bytes: number) => void,
): Promise<UploadedFile> {
  let size = 0;
  const countedChunks = async function* () {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      takeBytes(chunk.length);
      size += chunk.length;
      yield chunk;
    }
  };
  await handle.writeFile(countedChunks());
  const open = () => handle.createReadStream({ start: 0, autoClose: false });
  return {
    field: fieldname,
    name: oneLine(filename),
    size,
    read: () => buffer(open()),
    save: (path) => pipeline(open(), createWriteStream(path, { flags: 'wx', mode: 0o600 })),
  };
}

/** Opens a file and unlinks it at once: the system removes it when it is closed or the process dies. */
async function openTemporary(folder: string, handles: FileHandle[]): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  handles.push(handle);
  await rm(path);
  return handle;
}

/** Disk errors, such as a full disk, are our fault and not the form's. */
function isDiskError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

function unreadable(cause?: unknown): AppError {
  return new AppError('bad_request', 'The form cannot be read.', { cause });
}
