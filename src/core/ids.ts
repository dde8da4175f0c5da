import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

type IdPrefix =
  | 'agt'
  | 'bkg'
  | 'chc'
  | 'dst'
  | 'lic'
  | 'ltx'
  | 'mem'
  | 'msg'
  | 'msi'
  | 'ocl'
  | 'off'
  | 'ogr'
  | 'osi'
  | 'pay'
  | 'pho'
  | 'plc'
  | 'prm'
  | 'ptn'
  | 'qte'
  | 'req'
  | 'stf'
  | 'sub'
  | 'top'
  | 'tst';

export type NewId = (prefix: IdPrefix) => string;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Every pair of digits, so that ten bits are converted with one lookup. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => CROCKFORD.charAt(bits >> 5) + CROCKFORD.charAt(bits & 31),
);

/** Formats 48 bits of time and 80 random bits as a lower-case ULID. */
export function ulid(timeMs: number, entropy: Uint8Array): string {
  return timeText(timeMs) + randomText(entropy, 0) + randomText(entropy, 5);
}

let lastMs = -1;
let lastText = '';

/** Caches the last result, because many ids fall into one millisecond. */
function timeText(timeMs: number): string {
  if (timeMs !== lastMs) {
    lastText = '';
    for (let left = timeMs; lastText.length < 10; left = Math.floor(left / 1024))
      lastText = pair(left % 1024) + lastText;
    lastMs = timeMs;
  }
  return lastText;
}

function randomText(bytes: Uint8Array, at: number): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = [
    bytes[at],
    bytes[at + 1],
    bytes[at + 2],
    bytes[at + 3],
    bytes[at + 4],
  ];
  return (
    pair((a << 2) | (b >> 6)) +
    pair(((b & 63) << 4) | (c >> 4)) +
    pair(((c & 15) << 6) | (d >> 2)) +
    pair(((d & 3) << 8) | e)
  );
}

function pair(bits: number): string {
  return PAIRS[bits] ?? '';
}

// Random bytes are requested and formatted for many ids at once: one by one they cost more than the rest of an id.
const IDS_AT_ONCE = 512;

export function createNewId(clock: Clock): NewId {
  let randomTexts: string[] = [];
  return (prefix) => {
    if (randomTexts.length === 0) randomTexts = newRandomTexts();
    return `${prefix}_${timeText(clock.now().getTime())}${randomTexts.pop() ?? ''}`;
  };
}

function newRandomTexts(): string[] {
  const bytes = randomBytes(10 * IDS_AT_ONCE);
  return Array.from(
    { length: IDS_AT_ONCE },
    (_, i) => randomText(bytes, i * 10) + randomText(bytes, i * 10 + 5),
  );
}
