import type { Deps } from '../core/context.ts';
import { safeRequest } from '../core/egress/egress.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { HOUR_MS } from '../core/time.ts';

export const DOCUMENT_BYTES_MAX = 64 * 1024;
const DOCUMENT_TIMEOUT_MS = 5_000;
const FETCHES_PER_HOUR = 60;

/** The library's `fetch`, through the guarded egress, because clients choose the address in their id. */
export function guardedFetch(deps: Deps): (url: string | URL | Request) => Promise<Response> {
  const { serviceName, baseUrl } = deps.config;
  return async (url) => {
    const address = url instanceof Request ? url.url : String(url);
    const response = await safeRequest(deps.egress, address, {
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': `${serviceName}/1.0 (+${baseUrl})` },
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      maxBytes: DOCUMENT_BYTES_MAX,
      keepBody: true,
    });
    const headers = new Headers();
    if (response.cacheControl !== undefined) headers.set('cache-control', response.cacheControl);
    const empty = response.status === 204 || response.status === 205 || response.status === 304;
    const body = empty ? null : new Uint8Array(response.body ?? Buffer.alloc(0));
    return new Response(body, { status: response.status, headers });
  };
}

/** True below the limit per address. It spares connected clients, whose many users may share a host's address. */
export async function mayFetchDocument(
  deps: Deps,
  clientId: string,
  address: AddressGroup,
): Promise<boolean> {
  if ((URL.parse(clientId)?.pathname ?? '/') === '/') return false;
  const [connected] = await deps.pool`select from oauth_grant where client_id = ${clientId} limit 1`;
  if (connected !== undefined) return true;
  const limit = { name: `oauth_document/${address}`, max: FETCHES_PER_HOUR, windowMs: HOUR_MS };
  return (await takeFromWindow(deps.pool, limit, deps.clock.now())).allowed;
}
