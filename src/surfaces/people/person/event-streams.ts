import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../core/errors.ts';
import type { ChangeHub } from '../../../core/postgres/change-hub.ts';

declare module '../../../core/context.ts' {
  interface Deps {
    eventStreams: EventStreams;
  }
}

/** Keeps proxies from closing a silent stream. Sessions are checked as often. */
const HEARTBEAT_MS = 20_000;
/** Changes within this time are one event, because a page is read again for each. */
const COLLECT_MS = 250;
const RETRY_MS = 3_000;
const STREAMS_MAX = 5_000;
const STREAMS_PER_READER = 30;
/** A client that reads nothing is disconnected. */
const UNREAD_BYTES_MAX = 16_384;

interface Stream {
  response: ServerResponse;
  reader: string;
  isAllowed: () => Promise<boolean>;
}

interface StreamOptions {
  topics: readonly string[];
  /** Actor name of the person, for the limit of streams. */
  reader: string;
  /** False once the session or the permission has ended. */
  isAllowed: () => Promise<boolean>;
}

export function isEventStream({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers.accept === 'text/event-stream';
}

/**
 * Open pages that get an event when something they show has changed. An event has no content: the page is read again, by
 * the same route and with the same permissions. A stream ends with the session, and when the service stops.
 */
export class EventStreams {
  readonly #hub: ChangeHub;
  readonly #open = new Set<Stream>();
  readonly #heartbeat: NodeJS.Timeout;
  #closed = false;

  constructor(hub: ChangeHub) {
    this.#hub = hub;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  open(reply: FastifyReply, { topics, reader, isAllowed }: StreamOptions): FastifyReply {
    this.#admit(reader);
    const { raw: response, request } = reply;
    const { since } = request.query as { since?: string };
    reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no').hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200);
    response.write(`retry: ${RETRY_MS}\n\n`);
    const stream = { response, reader, isAllowed };
    this.#open.add(stream);
    let collecting: NodeJS.Timeout | undefined;
    const leave = this.#hub.follow(topics, Number(since) || Date.now(), () => {
      collecting ??= setTimeout(() => {
        collecting = undefined;
        void this.#send(stream, 'data: changed\n\n');
      }, COLLECT_MS).unref();
    });
    response.once('close', () => {
      clearTimeout(collecting);
      leave();
      this.#open.delete(stream);
    });
    return reply;
  }

  /** Ends all streams, so that they do not delay the end of the service. Browsers then connect to another node. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    for (const { response } of this.#open) response.end();
  }

  #admit(reader: string): void {
    let own = 0;
    for (const stream of this.#open) if (stream.reader === reader) own++;
    if (!this.#closed && own < STREAMS_PER_READER && this.#open.size < STREAMS_MAX) return;
    throw new AppError('rate_limited', 'Too many pages are open at the moment.', {
      hint: 'Load the page again from time to time.',
    });
  }

  async #beat(): Promise<void> {
    // One after the other, so that the checks leave the database to others.
    for (const stream of [...this.#open]) await this.#send(stream, ':\n\n');
  }

  async #send({ response, isAllowed }: Stream, text: string): Promise<void> {
    // While the database is away nobody can be checked, and an event contains nothing.
    const allowed = await isAllowed().catch(() => true);
    if (response.writableEnded || response.destroyed) return;
    if (!allowed) response.end();
    else if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
    else response.write(text);
  }
}
