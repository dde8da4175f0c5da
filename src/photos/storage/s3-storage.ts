import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { ByteRange, PhotoStorage, StoredFile } from '../photo-storage.ts';

export interface S3Settings {
  /** Address of the service, without the bucket. */
  url: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** Timeout until the response begins. The time for reading a file depends on the reader. */
const TIMEOUT_MS = 60_000;

/** Stores files in an S3-compatible bucket, at an address that the operator set; redirects are not followed. */
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
    const response = await this.#call('PUT', key, { 'content-type': contentType }, bytes);
    await response.body?.cancel();
    if (!response.ok) throw failure('PUT', response.status);
  }

  async get(key: string, range?: ByteRange): Promise<StoredFile | undefined> {
    const response = await this.#call(
      'GET',
      key,
      range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` },
    );
    const { body } = response;
    if (!response.ok || body === null) {
      await body?.cancel();
      if (response.status === 404) return undefined;
      throw failure('GET', response.status);
    }
    const size = sizeOf(response);
    return { size, body: Readable.fromWeb(body) };
  }

  async delete(key: string): Promise<void> {
    const response = await this.#call('DELETE', key, {});
    await response.body?.cancel();
    if (!response.ok && response.status !== 404) throw failure('DELETE', response.status);
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

/** A partial response gives the whole size after the slash of Content-Range. */
function sizeOf(response: Response): number {
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return Number(whole ?? response.headers.get('content-length') ?? Number.NaN);
}

function failure(method: string, status: number): Error {
  return new Error(`The photo store answered ${method} with ${status}.`);
}
