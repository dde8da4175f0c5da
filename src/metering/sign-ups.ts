import type { Deps } from '../core/context.ts';
import type { Ceiling } from '../core/operation.ts';
import { HOUR_MS } from '../core/time.ts';

/** How many accounts one address opens in an hour. */
export function signUpCeiling(name: string, max: (deps: Deps) => number): Ceiling {
  return {
    name,
    code: 'signup_rate_limited',
    windowMs: HOUR_MS,
    max,
    words: 'Too many sign-ups came from this address within an hour. Nothing was changed.',
    counts: 'calls',
  };
}
