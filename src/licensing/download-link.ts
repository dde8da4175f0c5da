import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OperationDeps } from '../core/context.ts';

const LINK_MS = 15 * 60_000;
const MAC_BYTES = 18;

/** Creates a link to the licensed file, signed instead of stored, so that every node can verify it. */
export function downloadLink(deps: OperationDeps, licenceId: string, now: Date) {
  const expiresAt = new Date(now.getTime() + LINK_MS);
  const body = `${licenceId.slice('lic_'.length)}.${expiresAt.getTime().toString(36)}`;
  return {
    url: `${deps.config.baseUrl}/photos/files/${body}.${macOf(deps, body).toString('base64url')}`,
    expires_at: expiresAt.toISOString(),
  };
}

/** Returns the licence of a link and its expiry; undefined when the signature is invalid. */
export function readDownloadToken(
  deps: OperationDeps,
  token: string,
): { licenceId: string; expiresAt: Date } | undefined {
  const [, body = '', licence = '', expires = '', mac = ''] =
    /^(([0-9a-z]{26})\.([0-9a-z]{1,11}))\.([\w-]{24})$/.exec(token) ?? [];
  if (body === '' || !timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(deps, body))) return undefined;
  return { licenceId: `lic_${licence}`, expiresAt: new Date(Number.parseInt(expires, 36)) };
}

function macOf({ secrets }: OperationDeps, body: string): Buffer {
  return createHmac('sha256', secrets.session).update(`photo file\n${body}`).digest().subarray(0, MAC_BYTES);
}
