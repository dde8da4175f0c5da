import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';

export interface SlowStore {
  /** Settings with which a service keeps its photos here. */
  settings: Record<string, string>;
  /** From now on, files are given back as fast as they are asked for. */
  release(): void;
}

/** A store of photos that accepts files at once and returns none until `release`. */
export async function startSlowStore(): Promise<SlowStore> {
  const files = new Map<string, Buffer>();
  const gate = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    const key = request.url ?? '';
    const answer = async () => {
      const body = await buffer(request);
      if (request.method === 'PUT') files.set(key, body);
      if (request.method === 'DELETE') files.delete(key);
      if (request.method === 'GET') await gate.promise;
      const file = request.method === 'GET' ? files.get(key) : Buffer.alloc(0);
      response.writeHead(file === undefined ? 404 : 200).end(file);
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    gate.resolve(undefined);
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      PHOTO_S3_URL: `http://127.0.0.1:${port}`,
      PHOTO_S3_BUCKET: 'photos',
      PHOTO_S3_KEY: 'key',
      PHOTO_S3_SECRET: 'secret',
    },
    release: () => {
      gate.resolve(undefined);
    },
  };
}
