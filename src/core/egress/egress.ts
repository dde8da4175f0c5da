import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { EgressError } from './egress-error.ts';
import { vetUrl, type ResolvedAddress, type EgressPolicy, type EgressTarget } from './egress-target.ts';

export interface EgressRequest {
  method: 'GET' | 'HEAD' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Allows plain http, for probing websites; never for anything that carries our data. */
  plainHttp?: boolean;
  /** Timeout for the whole call: resolution, connection, and the answer up to its last byte. */
  timeoutMs?: number;
  /** Timeout for resolution, connection and the headers of the answer, where it is shorter than the whole. */
  headersTimeoutMs?: number;
  maxBytes?: number;
  /** Returns the body, for documents meant for us; never shown to the person who supplied the URL. */
  keepBody?: boolean;
  signal?: AbortSignal;
  /** Called once connected, right before the request is sent; if it returns false, nothing is sent. */
  maySend?: (() => boolean) | undefined;
}

/** The answer. It has no body unless requested, because that could come from a machine inside our own network. */
export interface EgressAnswer {
  status: number;
  retryAfter: string | undefined;
  body?: Buffer;
  cacheControl?: string | undefined;
}

const TIMEOUT_MS = 15_000;
const BODY_BYTES_MAX = 64 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
// Timeout for connecting to one of several addresses. Node's default, 250 ms, is too short for distant hosts.
const ADDRESS_ATTEMPT_MS = 3_000;

/** Calls a URL of a third party. No other code may do so. Redirects are returned, never followed. */
export async function safeRequest(
  policy: EgressPolicy,
  url: string,
  request: EgressRequest,
): Promise<EgressAnswer> {
  const late = new AbortController();
  const limit = (ms: number) =>
    setTimeout(
      () => late.abort(new EgressError('timeout', 'The answer took too long.')),
      Math.min(ms, policy.timeoutMsMax ?? Infinity),
    );
  const timer = limit(request.timeoutMs ?? TIMEOUT_MS);
  const silence = limit(request.headersTimeoutMs ?? request.timeoutMs ?? TIMEOUT_MS);
  const signal = AbortSignal.any([late.signal, ...(request.signal ? [request.signal] : [])]);
  try {
    const target = await unlessAborted(signal, vetUrl(policy, url, request));
    return await send(target, request, signal, () => clearTimeout(silence));
  } finally {
    clearTimeout(timer);
    clearTimeout(silence);
  }
}

/** Rejects on abort. A DNS lookup cannot be cancelled, only abandoned. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason as Error);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}

function send(
  target: EgressTarget,
  request: EgressRequest,
  signal: AbortSignal,
  answered: () => void,
): Promise<EgressAnswer> {
  return new Promise((resolve, reject) => {
    const stages = { connected: false, secured: false };
    let status: number | undefined;
    const call = open(target, request);
    const fail = (error: Error) => {
      call.destroy();
      reject(error);
    };
    const abandon = () => {
      const reason = signal.reason as Error;
      const late = reason instanceof EgressError;
      fail(late ? new EgressError('timeout', reason.message, { status }) : reason);
    };
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    call.on('close', () => {
      signal.removeEventListener('abort', abandon);
      // A connection that ends in a way that nothing else here notices must still end the call.
      reject(
        new EgressError('refused', 'The connection was closed before the answer was complete.', { status }),
      );
    });
    call.on('socket', (socket: Socket) => {
      socket.once('connect', () => (stages.connected = true));
      socket.once('secureConnect', () => (stages.secured = true));
    });
    call.on('error', (cause) => {
      const unsafe = target.url.protocol === 'https:' && stages.connected && !stages.secured;
      fail(
        unsafe
          ? new EgressError('tls', 'A TLS connection could not be established.', { cause })
          : new EgressError('refused', 'The connection failed.', { cause, status }),
      );
    });
    call.on('response', (answer) => {
      answered();
      status = answer.statusCode ?? 0;
      const chunks: Buffer[] | undefined = request.keepBody === true ? [] : undefined;
      read(answer, request.maxBytes ?? BODY_BYTES_MAX, chunks, fail, () => {
        const { 'retry-after': retryAfter, 'cache-control': cacheControl } = answer.headers;
        resolve({
          status: status ?? 0,
          retryAfter,
          ...(chunks && { body: Buffer.concat(chunks), cacheControl }),
        });
      });
    });
    const { maySend } = request;
    if (maySend === undefined) call.end(request.body);
    else
      whenConnected(call, target, () => {
        if (maySend()) call.end(request.body);
        else fail(new Error('The call was cancelled before it was sent.'));
      });
  });
}

function whenConnected(call: ClientRequest, { url }: EgressTarget, connected: () => void): void {
  call.once('socket', (socket: Socket) =>
    socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', connected),
  );
}

function open({ url, host, port, addresses }: EgressTarget, request: EgressRequest): ClientRequest {
  const length = request.body === undefined ? undefined : Buffer.byteLength(request.body);
  const options = {
    host,
    port,
    path: url.pathname + url.search,
    method: request.method,
    headers: {
      'accept-encoding': 'identity',
      ...request.headers,
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      host: url.host,
    },
    // A new connection, so that none that was vetted for another call is reused.
    agent: false as const,
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  };
  if (url.protocol === 'http:') return httpRequest(options);
  return httpsRequest({ ...options, servername: isIP(host) === 0 ? host : '' });
}

/** Returns the vetted addresses, whatever the name resolves to by now. An IP address in the URL is never looked up. */
function pinnedTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function read(
  answer: IncomingMessage,
  maxBytes: number,
  chunks: Buffer[] | undefined,
  fail: (error: Error) => void,
  done: () => void,
): void {
  let bytes = 0;
  const status = answer.statusCode;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks?.push(chunk);
    if (bytes > maxBytes) fail(new EgressError('too_large', 'The answer is too large.', { status }));
  });
  answer.on('end', done);
  answer.on('error', (cause) =>
    fail(new EgressError('refused', 'The connection failed.', { cause, status })),
  );
}
