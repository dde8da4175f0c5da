import type { AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../core/clock.ts';

const TIMES = ['iat', 'exp', 'iiat', 'authTime', 'loginTs'] as const;

/** Converts between the service's clock, which stored times follow, and the process clock of the library. */
export class LibraryClock {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    return this.#clock.now();
  }

  /** Converts the times in a payload of the library to the service's clock. */
  toService(payload: AdapterPayload): AdapterPayload {
    return shifted(payload, this.#aheadSeconds());
  }

  toLibrary(payload: AdapterPayload): AdapterPayload {
    return shifted(payload, -this.#aheadSeconds());
  }

  /** Difference of the two clocks. Each is rounded down first, because the library counts whole seconds. */
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
