import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  /** host:port, as EGRESS_ALLOW names it. */
  pair: string;
  url: string;
  received: Received[];
  answer: (response: ServerResponse, path: string) => void;
  down(): Promise<void>;
  up(): Promise<void>;
}

/** A real receiver of callbacks on loopback, which can go down and come back on the same port. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      receiver.received.push({ path, headers, body: Buffer.concat(chunks).toString() });
      receiver.answer(response, path);
    });
  });
  let port = 0;
  const up = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  await up();
  ({ port } = server.address() as AddressInfo);
  after(down);
  const pair = `127.0.0.1:${port}`;
  const receiver: Receiver = {
    pair,
    url: `http://${pair}`,
    received: [],
    answer: (response) => response.end(),
    down,
    up,
  };
  return receiver;
}
