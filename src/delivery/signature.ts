import { createHmac } from 'node:crypto';

interface Signed {
  prefix: string;
  id: string;
  now: Date;
  body: string;
  /** The receiver's shared secrets, newest first: two for a day after a rotation, none where no secret is shared. */
  secrets: readonly Buffer[];
  /** Sign with the service's keys, whose public halves are published, newest first: two during a rotation. */
  signers: readonly ((text: string) => string)[];
}

/** Builds our own signature header and those of Standard Webhooks. Without a secret both use the public key. */
export function signatureHeaders({
  prefix,
  id,
  now,
  body,
  secrets,
  signers,
}: Signed): Record<string, string> {
  const time = Math.floor(now.getTime() / 1000);
  const ownText = `${time}.${body}`;
  const standardText = `${id}.${time}.${body}`;
  const own =
    secrets.length === 0
      ? signers.map((sign) => `v1a=${sign(ownText)}`)
      : secrets.map((secret) => `v1=${mac(secret, ownText).toString('hex')}`);
  const standard = [
    ...secrets.map((secret) => `v1,${mac(secret, standardText).toString('base64')}`),
    ...signers.map((sign) => `v1a,${sign(standardText)}`),
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
