import { safeRequest } from '../../core/egress/egress.ts';
import { EgressError } from '../../core/egress/egress-error.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';

export interface WebsiteFinding {
  result: 'alive' | 'failed' | 'unclear';
  /** Observed result: http_404, dns, timeout and the like. */
  detail: string;
}

export interface WebsiteCaller {
  egress: EgressPolicy;
  userAgent: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Hosts reserved for examples and tests (RFC 2606, RFC 6761). */
const RESERVED = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/;

/** Returns the host to request, or undefined when a website cannot or must not be checked. */
export function hostToCheck(website: string): string | undefined {
  const host = URL.parse(website)
    ?.hostname.replace(/\.+$/, '')
    .replace(/^www\./, '');
  return host === undefined || RESERVED.test(host) ? undefined : host;
}

/** Sends a HEAD request, and a GET only when that did not show that the website is alive. */
export async function checkWebsite(website: string, caller: WebsiteCaller): Promise<WebsiteFinding> {
  const head = await request(website, 'HEAD', caller);
  if (head.result === 'alive' || head.detail === 'dns' || head.detail === 'blocked_address') return head;
  return request(website, 'GET', caller);
}

async function request(
  website: string,
  method: 'HEAD' | 'GET',
  caller: WebsiteCaller,
): Promise<WebsiteFinding> {
  const { egress, userAgent, timeoutMs, signal } = caller;
  const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.5' };
  try {
    const { status } = await safeRequest(egress, website, {
      method,
      headers,
      plainHttp: true,
      timeoutMs,
      signal,
    });
    return findingOfStatus(status);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    // A page that exceeds the size or time limit has already shown its status.
    return error.status === undefined ? findingOfError(error) : findingOfStatus(error.status);
  }
}

/**
 * Classifies a status. A redirect counts as alive: the address is maintained. 404, 410 and server errors are typical of
 * a closed venue. Any other refusal, such as 401, 403 or 429, is aimed at programs like this one and proves nothing.
 */
function findingOfStatus(status: number): WebsiteFinding {
  const detail = `http_${status}`;
  if (status >= 200 && status < 400) return { result: 'alive', detail };
  const gone = status === 404 || status === 410 || status >= 500;
  return { result: gone ? 'failed' : 'unclear', detail };
}

/**
 * Classifies an error. Only a host name that does not exist and a refused connection count as failures. A name server
 * that does not answer, an unreachable network, a timeout or an expired certificate may be temporary, or our own fault.
 */
function findingOfError({ code, systemCode }: EgressError): WebsiteFinding {
  const nameless = code === 'dns' && (systemCode === 'ENOTFOUND' || systemCode === 'ENODATA');
  const refused = code === 'refused' && systemCode === 'ECONNREFUSED';
  return { result: nameless || refused ? 'failed' : 'unclear', detail: code };
}
