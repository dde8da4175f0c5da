import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyKind = 'live' | 'partner';
/** Kinds of OAuth tokens, which have the same form as keys: `svc_at_` for access, `svc_rt_` for refresh. */
type TokenPrefix = 'at' | 'rt';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
const SHOWN_CHARACTERS = 3;

/** Creates `svc_live_…` or `svc_partner_…`: 178 random bits, and a checksum that detects typos offline. */
export function createApiKey(prefix: string, kind: KeyKind | TokenPrefix): string {
  let random = '';
  for (let i = 0; i < RANDOM_CHARACTERS; i++) random += BASE62.charAt(randomInt(BASE62.length));
  const head = `${prefix}_${kind}_${random}`;
  return head + checksum(head);
}

/** True when the text has the form of a key of this kind and a correct checksum. It does not query the database. */
export function isWellFormedKey(prefix: string, kind: KeyKind | TokenPrefix, key: string): boolean {
  const head = `${prefix}_${kind}_`;
  if (!key.startsWith(head) || key.length !== head.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS)
    return false;
  return (
    /^[0-9A-Za-z]+$/.test(key.slice(head.length)) &&
    key.endsWith(checksum(key.slice(0, -CHECKSUM_CHARACTERS)))
  );
}

/** The part of a key that may be shown later: its kind, and enough to distinguish two keys. */
export function displayPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf('_') + 1 + SHOWN_CHARACTERS);
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = BASE62.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
