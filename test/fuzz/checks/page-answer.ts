import type { Exchange } from '../perform/exchange.ts';
import type { World } from '../world/world.ts';
import { fault, type Fault } from './fault.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Where clients of OAuth wait, as they registered it. */
const CLIENT =
  /^(http:\/\/localhost:45678\/callback|https:\/\/client\.example\/|cursor:\/\/cb|com\.example\.app:\/cb)/;

/** Addresses that the script of a page requests. */
const PARTS_OF_PAGES = new Set(['/find']);

/** Pages, what they lead to, and what is neither a page nor an operation. */
export function pageFaults(world: World, { answer, request, expects }: Exchange, where: string): Fault[] {
  const type = answer.headers['content-type'] ?? '';
  const { text, status } = answer;
  if (REDIRECTS.has(status)) return leadsAway(world, answer.headers.location, where);
  if (type.startsWith('text/html')) {
    const policy = answer.headers['content-security-policy'] ?? '';
    if (!/default-src '(self|none)'/.test(String(policy)))
      return [fault('a page without its policy', where, String(policy))];
    const run = text.replaceAll(/<script type="application\/(?:ld\+)?json">[^<]*<\/script>/g, '');
    if (/<script(?![^>]*\ssrc="\/assets\/)[^>]*>|\son\w+="/i.test(run))
      return [fault('a page with inline script', where, text.slice(0, 300))];
    const part = status === 200 && expects.kind === 'page' && PARTS_OF_PAGES.has(expects.pattern);
    if (/<html lang="/.test(text) !== part) return [];
    return [fault(part ? 'a page within a page' : 'half a page', where, text.slice(0, 300))];
  }
  if (status < 400 || status >= 500 || type.startsWith('application/problem+json')) return [];
  return oauthError(request.target, type, text)
    ? []
    : [fault(`a refusal ${status} of type ${type}`, where, text)];
}

function leadsAway(world: World, location: string | undefined, where: string): Fault[] {
  if (location === undefined) return [fault('a redirect to nowhere', where, '')];
  const to = URL.parse(location, world.service.baseUrl);
  if (to?.origin === world.service.baseUrl || CLIENT.test(location)) return [];
  return [fault('a redirect to a stranger', where, location)];
}

/** OAuth has its own form of an error (RFC 6749, 7591), and its clients read no other. */
function oauthError(target: string, type: string, text: string): boolean {
  if (!/^\/oauth\/|^\/twilio|^\/stripe/.test(target) || !type.startsWith('application/json')) return false;
  return /^\{"error":"[a-z_]+"/.test(text.replaceAll(/\s/g, ''));
}
