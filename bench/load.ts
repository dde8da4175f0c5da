import { connect, type Socket } from 'node:net';

export interface Load {
  requests: number;
  seconds: number;
  failures: number;
  /** Milliseconds, sorted. */
  latencies: number[];
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Sends requests in turn, again and again, over keep-alive connections for a bounded time. Raw sockets, because a client
 * library would cost more than the servers that are measured.
 */
export async function drive(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  seconds: number,
): Promise<Load> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  // In turn over all connections, so that a request comes again only when every other one was sent.
  let sent = 0;
  const next = () => requests[sent++ % requests.length] ?? Buffer.alloc(0);
  const workers = Array.from({ length: connections }, () => driveOne(port, next, endsAt));
  const parts = await Promise.all(workers);
  const elapsed = (performance.now() - startedAt) / 1000;
  const latencies = parts.flatMap((part) => part.latencies).sort((a, b) => a - b);
  const failures = parts.reduce((sum, part) => sum + part.failures, 0);
  return { requests: latencies.length, seconds: elapsed, failures, latencies };
}

/** Sends every request once, over so many connections, and gives the seconds that it took; each must be answered so. */
export async function sendEach(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  expected: number,
): Promise<number> {
  let next = 0;
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    }),
  );
  const startedAt = performance.now();
  const work = async (socket: Socket) => {
    const read = responses(socket);
    for (let at = next++; at < requests.length; at = next++) {
      socket.write(requests[at] ?? '');
      const status = await read();
      if (status !== expected) throw new Error(`Request ${at} was answered with ${status}.`);
    }
  };
  await Promise.all(sockets.map(work));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  return seconds;
}

async function driveOne(
  port: number,
  next: () => Buffer,
  endsAt: number,
): Promise<{ latencies: number[]; failures: number }> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const latencies: number[] = [];
  let failures = 0;
  const read = responses(socket);
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    socket.write(next());
    if ((await read()) !== 200) failures++;
    latencies.push(performance.now() - sentAt);
  }
  socket.destroy();
  return { latencies, failures };
}

/** Reads answers one after the other: the status of each, once its Content-Length or last chunk has arrived. */
function responses(socket: Socket): () => Promise<number> {
  let settle: ((status: number) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  let missing = -1;
  let status = 0;
  let head: Buffer = Buffer.alloc(0);
  let chunked = false;
  let tail = '';
  socket.on('data', (data: Buffer) => {
    let rest = data;
    if (missing < 0) {
      head = head.length === 0 ? data : Buffer.concat([head, data]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      chunked = length === undefined;
      missing = chunked ? 0 : Number(length);
      rest = head.subarray(end + 4);
      head = Buffer.alloc(0);
    }
    if (chunked) tail = (tail + rest.toString('latin1', Math.max(0, rest.length - 7))).slice(-7);
    else missing -= rest.length;
    if (chunked ? !tail.endsWith('0\r\n\r\n') : missing > 0) return;
    missing = -1;
    tail = '';
    settle?.(status);
  });
  const broken = () => fail?.(new Error('The server closed the connection.'));
  socket.on('close', broken).on('error', broken);
  return () =>
    new Promise((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
}

/** A request as it goes over the wire. */
export function httpRequest(
  method: string,
  path: string,
  port: number,
  headers: Record<string, string>,
  body = '',
): Buffer {
  const all = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
