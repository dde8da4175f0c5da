import type { AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../core/clock.ts';

const TIMES = ['iat', 'exp', 'iiat', 'authTime', 'loginTs'] as const;

/**
 * The library reads the clock of the process and cannot be given another. What is stored follows the service's own
 * clock, as all that is stored does, and is turned into the library's time when it is read.
 */
export class LibraryClock {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    return this.#clock.now();
  }

  /** A payload of the library with its times as the service counts them. */
  toService(payload: AdapterPayload): AdapterPayload {
    return shifted(payload, this.#aheadSeconds());
  }

  /** A stored payload with its times as the library counts them. */
  toLibrary(payload: AdapterPayload): AdapterPayload {
    return shifted(payload, -this.#aheadSeconds());
  }

  /** In whole seconds of either clock, as the library counts: so that a second that has ended here has ended there. */
  #aheadSeconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000);
  }
}

function shifted(payload: AdapterPayload, seconds: number): AdapterPayload {
  const moved = { ...payload };
  for (const name of TIMES) {
    const time = moved[name];
    if (time !== undefined) moved[name] = time + seconds;
  }
  return moved;
}
