import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../../core/context.ts';
import { HOUR_MS } from '../../../core/time.ts';

/** Longer than any question stays open, and than most people keep a page. */
const GOOD_FOR_MS = 48 * HOUR_MS;

type Keys = Pick<Deps, 'secrets' | 'clock'>;

/**
 * Proves that a form was read on the page behind this very link. It needs no cookie, which the browsers inside mail
 * and message programs may not keep.
 */
export function tapNonce(deps: Keys, token: string): string {
  const words = `${deps.clock.now().getTime().toString(36)}.${randomBytes(12).toString('base64url')}`;
  return `${words}.${sealOf(deps, token, words)}`;
}

export function isTapNonce(deps: Keys, token: string, nonce: string): boolean {
  const [at = '', chance = '', seal = ''] = nonce.split('.');
  const expected = Buffer.from(sealOf(deps, token, `${at}.${chance}`));
  const given = Buffer.from(seal);
  const ageMs = deps.clock.now().getTime() - Number.parseInt(at, 36);
  return given.length === expected.length && timingSafeEqual(given, expected) && ageMs <= GOOD_FOR_MS;
}

function sealOf({ secrets }: Keys, token: string, words: string): string {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['tap', token, words]))
    .digest('base64url');
}
