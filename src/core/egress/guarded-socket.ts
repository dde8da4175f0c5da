import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/**
 * A connection that stops sending once `maySend` returns false. It does not extend Socket, because TLS
 * bypasses the write method of a Socket.
 */
export class GuardedSocket extends Duplex {
  readonly #socket = new Socket();
  readonly #maySend: () => boolean;

  constructor(maySend: () => boolean) {
    super();
    this.#maySend = maySend;
    this.#socket.on('data', (chunk) => {
      if (!this.push(chunk)) this.#socket.pause();
    });
    this.#socket.on('end', () => this.push(null));
    this.#socket.on('timeout', () => this.emit('timeout'));
    this.#socket.on('error', (error) => this.destroy(error));
    this.#socket.on('close', () => this.destroy());
  }

  connect(port: number, host: string, connected: () => void): this {
    this.#socket.connect(port, host, connected);
    return this;
  }

  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    if (this.#maySend()) this.#socket.write(chunk, done);
    else done(new Error('Sending is no longer allowed.'));
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }
}
