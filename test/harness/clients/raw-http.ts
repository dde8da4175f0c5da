import { connect } from 'node:net';
import type { TestService } from '../service/service.ts';
import { PATIENCE_MS } from '../patience.ts';

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

interface RawOptions {
  /** Says after the last byte that no more will come. */
  halfClose?: boolean;
  /** The answer to HEAD names the length of a body that does not follow. */
  head?: boolean;
}

/** Only so that a hang fails with its own name instead of that of the test runner. */

/** Sends bytes as they are, which no HTTP client would do for us, and reads one answer. */
export function sendRaw(
  service: TestService,
  bytes: string | Buffer,
  options: RawOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (answer: RawAnswer | undefined) => {
      socket.destroy();
      if (answer !== undefined) resolve(answer);
      else reject(new Error(`no whole answer, only: ${JSON.stringify(received.toString('latin1'))}`));
    };
    socket.setTimeout(PATIENCE_MS, () => {
      finish(undefined);
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = readAnswer(received, options.head === true);
      if (answer !== undefined) finish(answer);
    });
    // A server that refuses a body stops reading it: what it said before the connection broke is what counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      finish(readAnswer(received, options.head === true));
    });
    if (options.halfClose === true) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** The first answer in the bytes, or undefined as long as it is not whole. */
function readAnswer(bytes: Buffer, head: boolean): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return readAnswer(rest, head);
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ]),
  );
  const length = Number(headers.get('content-length') ?? 0);
  if (head || status === 204 || status === 304) return { status, headers, body: '' };
  if (headers.get('transfer-encoding') === 'chunked') return readChunked(status, headers, rest);
  return rest.length < length ? undefined : { status, headers, body: rest.toString('utf8', 0, length) };
}

function readChunked(status: number, headers: Headers, rest: Buffer): RawAnswer | undefined {
  return rest.toString('latin1').endsWith('0\r\n\r\n')
    ? { status, headers, body: rest.toString('utf8') }
    : undefined;
}

/** The text of a request. Headers are a list, so that one can stand twice or be none at all. */
export function requestText(
  method: string,
  target: string,
  headers: readonly string[],
  body: string | Buffer = '',
): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers].map((line) => `${line}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${lines}\r\n`, 'latin1'), Buffer.from(body)]);
}
