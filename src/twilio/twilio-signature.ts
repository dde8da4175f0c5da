import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Computes the signature of a request from the provider: an HMAC over the URL as called, query included, and the form
 * fields sorted by name.
 */
export function twilioSignature(token: string, url: string, form: URLSearchParams): string {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHmac('sha1', token)
    .update(url + fields.map(([name, value]) => name + value).join(''))
    .digest('base64');
}

/** True when the provider signed this request. */
export function isSignedByTwilio(
  token: string,
  { url, form, signature }: { url: string; form: URLSearchParams; signature: unknown },
): boolean {
  if (typeof signature !== 'string') return false;
  const expected = Buffer.from(twilioSignature(token, url, form));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
