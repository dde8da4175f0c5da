import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../../core/progress.ts';
import { ImportFileError } from '../import-file-error.ts';

export interface Download {
  url: string;
  target: string;
  /** ETag of the current copy, from the server. */
  etag: string | null;
  progress: Progress;
  signal: AbortSignal;
}

/** Downloads a file if it differs from the current copy. Returns its new ETag, or undefined when it has not changed. */
export async function download({
  url,
  target,
  etag,
  progress,
  signal,
}: Download): Promise<string | undefined> {
  const headers: Record<string, string> = { 'user-agent': 'waypost-import' };
  if (etag !== null)
    headers[etag.startsWith('since ') ? 'if-modified-since' : 'if-none-match'] = etag.replace(/^since /, '');
  // The operator configured this URL, so private hosts and redirects are allowed.
  const answer = await fetch(url, { headers, signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new ImportFileError(`${url} cannot be reached.`, { cause });
  });
  if (answer.status === 304) return undefined;
  if (!answer.ok || answer.body === null)
    throw new ImportFileError(`${url} answered with status ${answer.status}.`);
  const total = Number(answer.headers.get('content-length') ?? 0);
  const part = `${target}.part`;
  let done = 0;
  const counted = async function* (bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      done += chunk.length;
      if (total > 0) progress(Math.min(done, total), total);
      yield chunk;
    }
  };
  try {
    await pipeline(
      Readable.fromWeb(answer.body as never),
      counted,
      createWriteStream(part, { flush: true }),
      { signal },
    );
    if (total > 0 && done !== total)
      throw new ImportFileError(`The download of ${url} ended after ${done} of ${total} bytes.`);
    await rename(part, target);
  } catch (cause) {
    await rm(part, { force: true });
    signal.throwIfAborted();
    throw cause instanceof ImportFileError
      ? cause
      : new ImportFileError(`The download of ${url} was interrupted.`, { cause });
  }
  const modified = answer.headers.get('last-modified');
  return answer.headers.get('etag') ?? (modified === null ? '' : `since ${modified}`);
}
