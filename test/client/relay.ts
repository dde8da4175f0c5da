import { createServer, request as send, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** The relay's treatment of a request: it passes it on, loses the answer, or answers by itself. */
export type Turn =
  'pass' | 'lose' | 'hang' | { status: number; headers?: OutgoingHttpHeaders; body?: string };

export interface Relay {
  url: string;
  /** Treatment of the next requests; later ones are passed on. */
  turns: Turn[];
  /** The headers of every request that came. */
  seen: OutgoingHttpHeaders[];
}

/** A relay between a client and the service that behaves as proxies and bad networks do. */
export async function startRelay(service: string): Promise<Relay> {
  const server = createServer((incoming, answer) => {
    relay.seen.push(incoming.headers);
    const turn = relay.turns.shift() ?? 'pass';
    if (turn === 'hang') return;
    if (typeof turn === 'object') {
      incoming.resume();
      answer.writeHead(turn.status, turn.headers).end(turn.body);
      return;
    }
    const { method, url = '', headers } = incoming;
    const outgoing = send(service + url, { method, headers }, (came) => {
      if (turn === 'pass') came.pipe(answer.writeHead(came.statusCode ?? 500, came.headers));
      else came.resume().on('end', () => incoming.socket.destroy());
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const relay: Relay = { url: `http://127.0.0.1:${port}`, turns: [], seen: [] };
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return relay;
}
