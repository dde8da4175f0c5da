import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/**
 * A connection over which nothing leaves any more once it may not: every piece is looked at when it is to go out. It is no
 * Socket, because TLS would write past one that is.
 */
export class GuardedSocket extends Duplex {
  readonly #socket = new Socket();
  readonly #mayLeave: () => boolean;

  constructor(mayLeave: () => boolean) {
    super();
    this.#mayLeave = mayLeave;
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
    if (this.#mayLeave()) this.#socket.write(chunk, done);
    else done(new Error('It may not leave any more.'));
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }
}
