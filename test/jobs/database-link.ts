import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type LinkState = 'open' | 'cut' | 'frozen';

export interface DatabaseLink {
  /** The address of the database by way of this link. */
  url: string;
  /** How many connections were refused since the start. */
  readonly refused: number;
  /** How many connections are open or wait to be passed on. */
  readonly connections: number;
  set: (state: LinkState) => void;
  close: () => void;
}

/**
 * Stands between a service and its database. `cut` ends every connection and refuses new ones, as a crashed server does;
 * `frozen` accepts them and passes nothing on in either direction, as a stopped machine behind a proxy does.
 */
export async function openDatabaseLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const pairs = new Set<{ near: Socket; far: Socket | undefined }>();
  let state: LinkState = 'open';
  let refused = 0;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (state === 'cut') {
      refused++;
      near.destroy();
      return;
    }
    const pair: { near: Socket; far: Socket | undefined } = { near, far: undefined };
    pairs.add(pair);
    near.on('close', () => {
      pairs.delete(pair);
      pair.far?.destroy();
    });
    if (state === 'open') join(pair);
  });
  const join = (pair: { near: Socket; far: Socket | undefined }) => {
    const far = connect(Number(target.port), target.hostname);
    pair.far = far.on('error', () => pair.near.destroy());
    far.on('close', () => pair.near.destroy());
    pair.near.pipe(far);
    far.pipe(pair.near);
  };
  const set = (next: LinkState) => {
    state = next;
    for (const pair of pairs) {
      const { near, far } = pair;
      if (next === 'cut') near.destroy();
      else if (next === 'frozen') {
        near.unpipe();
        far?.unpipe();
        near.pause();
        far?.pause();
      } else if (far === undefined) join(pair);
      else {
        near.pipe(far);
        far.pipe(near);
      }
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    get refused() {
      return refused;
    },
    get connections() {
      return pairs.size;
    },
    set,
    close: () => {
      set('cut');
      server.close();
    },
  };
}
