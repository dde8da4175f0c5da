import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../../core/context.ts';
import { HOUR_MS } from '../../../core/time.ts';

/** Lifetime of a nonce: longer than any request stays open and than most people keep a page open. */
const GOOD_FOR_MS = 48 * HOUR_MS;

type Keys = Pick<Deps, 'secrets' | 'clock'>;

/**
 * Creates a nonce that proves that a form was loaded from the page behind this link. It needs no cookie, because the
 * browsers inside mail and messaging apps may not keep cookies.
 */
export function tapNonce(deps: Keys, token: string): string {
  const payload = `${deps.clock.now().getTime().toString(36)}.${randomBytes(12).toString('base64url')}`;
  return `${payload}.${signatureOf(deps, token, payload)}`;
}

export function isTapNonce(deps: Keys, token: string, nonce: string): boolean {
  const [at = '', random = '', signature = ''] = nonce.split('.');
  const expected = Buffer.from(signatureOf(deps, token, `${at}.${random}`));
  const actual = Buffer.from(signature);
  const ageMs = deps.clock.now().getTime() - Number.parseInt(at, 36);
  return actual.length === expected.length && timingSafeEqual(actual, expected) && ageMs <= GOOD_FOR_MS;
}

function signatureOf({ secrets }: Keys, token: string, payload: string): string {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['tap', token, payload]))
    .digest('base64url');
}
