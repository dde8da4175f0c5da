import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../core/errors.ts';
import { oneLine } from '../../../core/text/visible-text.ts';

/** Room for the other fields of the form. */
const REST_BYTES = 64 * 1024;
const PARTS_MAX = 60;
const LINE_END = '\r\n';

export interface UploadedFile {
  /** As the browser named it; nothing but people may rely on it. */
  name: string;
  bytes: Buffer;
}

const files = new WeakMap<object, UploadedFile[]>();

/** Lets the forms of a scope carry files of so many bytes together. Their other fields are read like those of any form. */
export function addUploadParser(scope: FastifyInstance, bytesMax: number): void {
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: bytesMax + REST_BYTES },
    (request, body, done) => {
      try {
        done(null, readUpload(body, request.headers['content-type'] ?? ''));
      } catch (thrown) {
        done(thrown as Error);
      }
    },
  );
}

/** The files that a form carried. A field for which none was chosen counts as a file without a name. */
export function uploadedFiles(request: FastifyRequest): readonly UploadedFile[] {
  return typeof request.body === 'object' && request.body !== null ? (files.get(request.body) ?? []) : [];
}

function readUpload(body: Buffer, contentType: string): URLSearchParams {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw unreadable();
  const fields = new URLSearchParams();
  const carried: UploadedFile[] = [];
  files.set(fields, carried);
  for (const part of partsOf(body, `--${boundary}`)) {
    const headEnd = part.indexOf(LINE_END + LINE_END);
    if (headEnd < 0) throw unreadable();
    const head = part.toString('utf8', 0, headEnd);
    const content = part.subarray(headEnd + 4);
    const [, name] = /^content-disposition:.*?;\s*name="([^"\r\n]*)"/im.exec(head) ?? [];
    if (name === undefined) throw unreadable();
    const [isFile, fileName = ''] = /;\s*filename\*?=(?:"([^"\r\n]*)")?/i.exec(head) ?? [];
    if (isFile !== undefined) carried.push({ name: oneLine(fileName), bytes: content });
    else fields.append(name, content.toString('utf8'));
  }
  return fields;
}

/** What stands between the boundaries. The last one, which ends with two hyphens, must be there: else it broke off. */
function partsOf(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = [];
  let from = body.indexOf(delimiter);
  while (from >= 0 && parts.length <= PARTS_MAX) {
    const start = from + delimiter.length;
    if (body.toString('latin1', start, start + 2) === '--') return parts;
    const next = body.indexOf(LINE_END + delimiter, start);
    if (next < 0) break;
    parts.push(body.subarray(start + LINE_END.length, next));
    from = next + LINE_END.length;
  }
  throw unreadable();
}

function unreadable(): AppError {
  return new AppError('bad_request', 'The form cannot be read.');
}
