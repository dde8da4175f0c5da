import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { ByteRange, PhotoStorage, StoredFile } from '../photo-storage.ts';

export interface S3Settings {
  /** The address of the service, without the bucket. */
  url: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** How long a call may take until its answer begins. How fast a file is read is up to whoever reads it. */
const TIMEOUT_MS = 60_000;

/**
 * A bucket of any store that speaks S3. The address is the operator's own setting and may be inside its network,
 * so calls go straight there, as they go to the database; redirects are not followed.
 */
export class S3Storage implements PhotoStorage {
  readonly #client: AwsClient;
  readonly #base: string;

  constructor({ url, bucket, region, accessKey, secretKey }: S3Settings) {
    this.#client = new AwsClient({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    });
    this.#base = `${url}/${bucket}`;
  }

  async put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const answer = await this.#call('PUT', key, { 'content-type': contentType }, bytes);
    await answer.body?.cancel();
    if (!answer.ok) throw failure('PUT', answer.status);
  }

  async get(key: string, range?: ByteRange): Promise<StoredFile | undefined> {
    const answer = await this.#call(
      'GET',
      key,
      range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` },
    );
    const { body } = answer;
    if (!answer.ok || body === null) {
      await body?.cancel();
      if (answer.status === 404) return undefined;
      throw failure('GET', answer.status);
    }
    const size = sizeOf(answer);
    return { size, body: Readable.fromWeb(body) };
  }

  async delete(key: string): Promise<void> {
    const answer = await this.#call('DELETE', key, {});
    await answer.body?.cancel();
    if (!answer.ok && answer.status !== 404) throw failure('DELETE', answer.status);
  }

  async #call(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    headers: Record<string, string>,
    body?: Uint8Array,
  ): Promise<Response> {
    const signed = await this.#client.sign(`${this.#base}/${key}`, {
      method,
      headers,
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort(new Error(`The photo store did not answer ${method} in time.`));
    }, TIMEOUT_MS);
    try {
      return await fetch(signed, { redirect: 'error', signal: limit.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A part of a file names the whole size behind the slash. */
function sizeOf(answer: Response): number {
  const whole = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1];
  return Number(whole ?? answer.headers.get('content-length') ?? Number.NaN);
}

function failure(method: string, status: number): Error {
  return new Error(`The photo store answered ${method} with ${status}.`);
}
