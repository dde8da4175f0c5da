import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature of a request of the provider: an HMAC over the address as it was called, query included, and the
 * fields of the form in the order of their names.
 */
export function twilioSignature(token: string, url: string, form: URLSearchParams): string {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHmac('sha1', token)
    .update(url + fields.map(([name, value]) => name + value).join(''))
    .digest('base64');
}

/** Whether the provider, and nobody else, sent this request. */
export function isSignedByTwilio(
  token: string,
  { url, form, signature }: { url: string; form: URLSearchParams; signature: unknown },
): boolean {
  if (typeof signature !== 'string') return false;
  const expected = Buffer.from(twilioSignature(token, url, form));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
