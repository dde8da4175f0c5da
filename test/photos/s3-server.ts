import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { S3Settings } from '../../src/photos/storage/s3-storage.ts';

interface Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** The package has no types of its own. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Server;

export const S3_KEYS = { accessKey: 'S3RVER', secretKey: 'S3RVER' };
const BUCKET = 'waypost-photos';

/** A real store that speaks S3 and checks signatures, on loopback, gone after the test file. */
export async function startS3Server(): Promise<S3Settings> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${port}`, bucket: BUCKET, region: 'us-east-1', ...S3_KEYS };
}
