import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

export type IdPrefix = 'agt' | 'dst' | 'plc' | 'ptn' | 'req' | 'stf';

export type NewId = (prefix: IdPrefix) => string;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Formats 48 bits of time and 80 bits of chance as a lower-case ULID. */
export function ulid(timeMs: number, entropy: Uint8Array): string {
  let text = '';
  let time = timeMs;
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD.charAt(time % 32) + text;
    time = Math.floor(time / 32);
  }
  let bits = 0;
  let held = 0;
  for (const byte of entropy.subarray(0, 10)) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += CROCKFORD.charAt((held >> bits) & 31);
    }
  }
  return text;
}

// One call for chance serves many ids: asking the system for ten bytes costs more than making the id.
const POOL_BYTES = 10 * 512;

export function createNewId(clock: Clock): NewId {
  let pool = randomBytes(POOL_BYTES);
  let offset = 0;
  return (prefix) => {
    if (offset === POOL_BYTES) {
      pool = randomBytes(POOL_BYTES);
      offset = 0;
    }
    const entropy = pool.subarray(offset, offset + 10);
    offset += 10;
    return `${prefix}_${ulid(clock.now().getTime(), entropy)}`;
  };
}
