import { connect, type Socket } from 'node:net';

export interface Load {
  requests: number;
  seconds: number;
  failures: number;
  /** Milliseconds, sorted. */
  latencies: number[];
  /** Of one processor, how much this driver used itself: near 1 it is the driver that is measured. */
  driverCpu: number;
}

/** The next request, or undefined when there is none any more. */
export type Next = () => Buffer | undefined;

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ontent-length: ');
const LENGTH_CAPITAL = Buffer.from('ontent-Length: ');
const RETURN = 13;
const ZERO = 48;
const LAST_CHUNK = '0\r\n\r\n';

/** The same requests again and again: one comes again only when every other one was sent. */
export function again(requests: readonly Buffer[]): Next {
  let sent = 0;
  return () => requests[sent++ % requests.length];
}

/** Every request once; with the last one the run ends, even if time is left. */
export function once<Item>(items: readonly Item[], request: (item: Item, at: number) => Buffer): Next {
  let sent = 0;
  return () => {
    const item = items[sent];
    return item === undefined ? undefined : request(item, sent++);
  };
}

/**
 * Sends requests over keep-alive connections for a bounded time, or until `signal` or the supply ends it. Raw sockets
 * and few objects, because a client library would cost more than the servers that are measured.
 */
export async function drive(
  port: number,
  next: Next,
  connections: number,
  seconds: number,
  signal?: AbortSignal,
): Promise<Load> {
  const sockets = await openSockets(port, connections);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const run: Run = { next, endsAt: startedAt + seconds * 1000, signal, latencies: [], failures: 0 };
  await Promise.all(sockets.map((socket) => driveOne(socket, run)));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const latencies = run.latencies.sort((a, b) => a - b);
  const { failures } = run;
  return {
    ...{ requests: latencies.length, seconds: elapsed, failures, latencies },
    driverCpu: (user + system) / 1e6 / elapsed,
  };
}

/** Sends every request once, over so many connections, and gives the seconds that it took; each must be answered so. */
export async function sendEach(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  expected: number,
): Promise<number> {
  let next = 0;
  const sockets = await openSockets(port, connections);
  const startedAt = performance.now();
  const work = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      const send = () => {
        const request = requests[next++];
        if (request === undefined) resolve();
        else socket.write(request);
      };
      readAnswers(socket, (status) => {
        if (status === expected) send();
        else reject(new Error(`A request was answered with ${status}.`));
      });
      socket.on('close', () => {
        reject(new Error('The server closed the connection.'));
      });
      send();
    });
  await Promise.all(sockets.map(work));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  return seconds;
}

interface Run {
  next: Next;
  endsAt: number;
  signal: AbortSignal | undefined;
  latencies: number[];
  failures: number;
}

function openSockets(port: number, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    }),
  );
}

/** One request after the other on one connection. A connection that breaks is a failure, and the end of it. */
function driveOne(socket: Socket, run: Run): Promise<void> {
  return new Promise((resolve) => {
    let sentAt = 0;
    const send = () => {
      const now = performance.now();
      const request = now < run.endsAt && run.signal?.aborted !== true ? run.next() : undefined;
      if (request === undefined) {
        socket.destroy();
        return;
      }
      sentAt = now;
      socket.write(request);
    };
    readAnswers(socket, (status) => {
      run.latencies.push(performance.now() - sentAt);
      if (status !== 200) run.failures++;
      send();
    });
    socket.on('error', () => {
      run.failures++;
    });
    socket.on('end', () => {
      run.failures++;
    });
    socket.on('close', () => {
      resolve();
    });
    send();
  });
}

/** Tells the status of each answer once its Content-Length or last chunk has arrived. */
function readAnswers(socket: Socket, answered: (status: number) => void): void {
  let head: Buffer | undefined;
  let missing = -1;
  let status = 0;
  let tail: string | undefined;
  socket.on('data', (data: Buffer) => {
    let rest = data;
    if (missing < 0) {
      head = head === undefined ? data : Buffer.concat([head, data]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      status = (digit(head, 9) * 10 + digit(head, 10)) * 10 + digit(head, 11);
      const length = contentLength(head, end);
      tail = length === undefined ? '' : undefined;
      missing = length ?? 0;
      rest = head.subarray(end + HEAD_END.length);
      head = undefined;
    }
    if (tail === undefined) missing -= rest.length;
    else tail = (tail + rest.toString('latin1', Math.max(0, rest.length - 7))).slice(-7);
    if (tail === undefined ? missing > 0 : !tail.endsWith(LAST_CHUNK)) return;
    missing = -1;
    answered(status);
  });
}

function digit(bytes: Buffer, at: number): number {
  return (bytes[at] ?? ZERO) - ZERO;
}

function contentLength(head: Buffer, end: number): number | undefined {
  let at = head.indexOf(LENGTH);
  if (at < 0 || at > end) at = head.indexOf(LENGTH_CAPITAL);
  if (at < 0 || at > end) return undefined;
  let length = 0;
  for (let i = at + LENGTH.length; head[i] !== RETURN; i++) length = length * 10 + digit(head, i);
  return length;
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
