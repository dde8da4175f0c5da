import type { OperationName } from './call.ts';
import { ROUTES } from './generated/operations.ts';

/** A request as every attempt of a call sends it. */
export interface PlannedRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Addresses {
  baseUrl: string;
  partnerUrl: string;
}

/** Who calls: by the keys of its account, and by its name, which every request carries. */
export interface Caller {
  userAgent: string;
  apiKey: string | undefined;
  partnerKey: string | undefined;
}

export function planRequest(
  name: OperationName,
  given: Record<string, unknown>,
  { baseUrl, partnerUrl }: Addresses,
  caller: Caller,
  idempotencyKey: string | undefined,
): PlannedRequest {
  const route: { method: 'GET' | 'POST'; path: string; credential: string; keyInBody?: true } = ROUTES[name];
  const rest = { ...given };
  const path = route.path.replace(/\{(\w+)\}/g, (_, member: string) => {
    const value = rest[member];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} needs ${member}.`);
    // Assigned and not deleted, so that the member is left out below like any other that is absent.
    rest[member] = undefined;
    return encodeURIComponent(value);
  });
  const url = new URL((route.credential === 'partner' ? partnerUrl : baseUrl) + path);
  const headers = { accept: 'application/json', ...callerHeaders(caller, route.credential) };
  if (route.method === 'GET') {
    for (const [member, value] of Object.entries(rest)) {
      const text = queryText(value);
      if (text !== undefined) url.searchParams.set(member, text);
    }
    return { url: url.href, method: 'GET', headers, body: undefined };
  }
  const key = idempotencyKey ?? newIdempotencyKey();
  if (route.keyInBody === true) rest['idempotency_key'] ??= key;
  return {
    url: url.href,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(rest),
  };
}

function callerHeaders(
  { userAgent, apiKey, partnerKey }: Caller,
  credential: string,
): Record<string, string> {
  return {
    // Browsers do not let a script say who it is in the header of that name.
    ...(inBrowser() ? { 'api-user-agent': userAgent } : { 'user-agent': userAgent }),
    ...(credential === 'agent' && apiKey !== undefined ? { authorization: `Bearer ${apiKey}` } : {}),
    ...(credential === 'partner' && partnerKey !== undefined ? { 'x-partner-key': partnerKey } : {}),
  };
}

/** Every browser and its workers call themselves so, and no other place where programs run does. */
function inBrowser(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith('Mozilla/') === true;
}

/** Lists are written with commas; what is absent or null is left out. */
function queryText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(queryText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Random, because nothing else distinguishes callers without an account. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
