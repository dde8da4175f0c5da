import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const BODY_MS = 30_000;
/** Bytes that a slow body must bring in each BODY_MS: about 2 kB a second, as on a weak mobile connection. */
const PROGRESS_BYTES_MIN = 64 * 1024;
/** Time for which the rest of a body is still read after its response, so that its sender can read the response. */
const LINGER_MS = 2_000;

const slowAllowed = new WeakSet<IncomingMessage>();

/** Allows the body of a request to take longer, as long as it advances. Its sender is authenticated. */
export function allowSlowBody(request: IncomingMessage): void {
  slowAllowed.add(request);
}

/** Cuts off bodies that do not arrive. Only those still incomplete at the end of a turn get a timer. */
export class BodyWatch {
  readonly #server: Server;
  #fresh: [IncomingMessage, ServerResponse][] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    if (this.#fresh.push([request, response]) === 1) setImmediate(() => this.#begin());
  }

  #begin(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    for (const [request, response] of fresh) if (isMissing(request)) this.#watch(request, response);
  }

  #watch(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const timers: NodeJS.Timeout[] = [];
    const check = (before: number) => {
      const timer = setTimeout(() => {
        if (!isMissing(request)) return;
        const { bytesRead } = socket;
        if (slowAllowed.has(request) && bytesRead - before >= PROGRESS_BYTES_MIN) check(bytesRead);
        else this.#cut(socket, response);
      }, BODY_MS).unref();
      timers.push(timer);
    };
    check(socket.bytesRead);
    const linger = () => {
      const timer = setTimeout(() => {
        if (isMissing(request)) socket.destroy();
      }, LINGER_MS).unref();
      timers.push(timer);
    };
    if (response.writableFinished) linger();
    else response.once('finish', linger);
    request.once('close', () => {
      for (const timer of timers) clearTimeout(timer);
    });
  }

  #cut(socket: Socket, response: ServerResponse): void {
    if (response.headersSent) {
      socket.destroy();
      return;
    }
    const late = Object.assign(new Error('The body did not arrive.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#server.emit('clientError', late, socket);
    socket.destroySoon();
  }
}

function isMissing({ complete, destroyed, socket }: IncomingMessage): boolean {
  return !complete && !destroyed && !socket.destroyed;
}
