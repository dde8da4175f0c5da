import { createHmac } from 'node:crypto';

interface Signed {
  /** Begins the name of our own header. */
  prefix: string;
  id: string;
  now: Date;
  body: string;
  /** The receiver's secrets, the newest first: two of them for a day after a rotation, none where none is shared. */
  secrets: readonly Buffer[];
  /** Signs with the key whose public half everybody can read. */
  sign: (text: string) => string;
}

/**
 * What a receiver checks: our own header, which is enough by itself, and those of Standard Webhooks, so that any library
 * for them works. Where no secret is shared, both carry the signature of the public key.
 */
export function signatureHeaders({ prefix, id, now, body, secrets, sign }: Signed): Record<string, string> {
  const time = Math.floor(now.getTime() / 1000);
  const ownText = `${time}.${body}`;
  const standardText = `${id}.${time}.${body}`;
  const own =
    secrets.length === 0
      ? [`v1a=${sign(ownText)}`]
      : secrets.map((secret) => `v1=${mac(secret, ownText).toString('hex')}`);
  const standard = [
    ...secrets.map((secret) => `v1,${mac(secret, standardText).toString('base64')}`),
    `v1a,${sign(standardText)}`,
  ];
  return {
    [`${prefix}-signature`]: [`t=${time}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': standard.join(' '),
  };
}

function mac(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}
