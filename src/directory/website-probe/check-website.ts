import { safeRequest } from '../../core/egress/egress.ts';
import { EgressError } from '../../core/egress/egress-error.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';

export interface WebsiteFinding {
  result: 'alive' | 'failed' | 'unclear';
  /** What was seen: http_404, dns, timeout and the like. */
  detail: string;
}

export interface WebsiteCaller {
  egress: EgressPolicy;
  userAgent: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Set aside for examples and tests (RFC 2606, RFC 6761): nobody is there. */
const RESERVED = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/;

/** The host that would be asked, or undefined when a website cannot or must not be checked. */
export function hostToAsk(website: string): string | undefined {
  const host = URL.parse(website)
    ?.hostname.replace(/\.+$/, '')
    .replace(/^www\./, '');
  return host === undefined || RESERVED.test(host) ? undefined : host;
}

/** Asks a website for its head, and for the whole page only when that did not show it alive. */
export async function checkWebsite(website: string, caller: WebsiteCaller): Promise<WebsiteFinding> {
  const head = await ask(website, 'HEAD', caller);
  if (head.result === 'alive' || head.detail === 'dns' || head.detail === 'blocked_address') return head;
  return ask(website, 'GET', caller);
}

async function ask(website: string, method: 'HEAD' | 'GET', caller: WebsiteCaller): Promise<WebsiteFinding> {
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
  } catch (thrown) {
    if (!(thrown instanceof EgressError)) throw thrown;
    // A page that is larger or slower than we care to read has shown its status already.
    return thrown.status === undefined ? findingOfError(thrown) : findingOfStatus(thrown.status);
  }
}

/**
 * A redirect is an answer: somebody keeps the address. 404, 410 and server errors are what a closed venue leaves
 * behind. Any other refusal, such as 401, 403 or 429, is meant for programs like this one and says nothing.
 */
function findingOfStatus(status: number): WebsiteFinding {
  const detail = `http_${status}`;
  if (status >= 200 && status < 400) return { result: 'alive', detail };
  const gone = status === 404 || status === 410 || status >= 500;
  return { result: gone ? 'failed' : 'unclear', detail };
}

/**
 * Only a name that does not exist and a machine that refuses count. A name server that does not answer, a network
 * that cannot be reached, a timeout or a stale certificate may be a bad day, or our own.
 */
function findingOfError({ code, systemCode }: EgressError): WebsiteFinding {
  const nameless = code === 'dns' && (systemCode === 'ENOTFOUND' || systemCode === 'ENODATA');
  const refused = code === 'refused' && systemCode === 'ECONNREFUSED';
  return { result: nameless || refused ? 'failed' : 'unclear', detail: code };
}
