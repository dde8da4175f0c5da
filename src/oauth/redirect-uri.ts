import { parse as parseDomain } from 'tldts';

/** Where a redirect leads: to a website, to a program on the person's own computer, or nowhere that we send anybody. */
export type RedirectKind = 'website' | 'loopback' | 'app' | 'refused';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Programs that connect to MCP servers and answer to a name of one word. Editors hand an address to the extension that
 * its host names (publisher.extension) and do other things with other hosts: open files, clone, connect elsewhere.
 */
const KNOWN_PROGRAMS: Readonly<Record<string, 'editor' | 'program'>> = {
  'cursor:': 'editor',
  'vscode:': 'editor',
  'vscode-insiders:': 'editor',
  'vscodium:': 'editor',
  'windsurf:': 'editor',
  'kiro:': 'editor',
  'trae:': 'editor',
  'claude:': 'program',
  'raycast:': 'program',
  'warp:': 'program',
  'zed:': 'program',
};

/** What the last part of such an address is called where an answer of OAuth is expected: oauth2callback, authenticate. */
const ANSWER_PART = /auth|callback/i;

/** Makers of systems, whose own schemes have dots too: microsoft.windows.camera, com.apple.tv. */
const SYSTEM_MAKERS = new Set(['apple.com', 'microsoft.com', 'windows.com', 'android.com']);
const SYSTEM_SUFFIXES = new Set(['apple', 'microsoft', 'windows', 'android']);

/**
 * Tells by rule what is let through, and never by a list of what is not: systems and programs know more schemes that act
 * by themselves than anybody could name.
 */
export function redirectKind(uri: string): RedirectKind {
  const url = URL.parse(uri);
  if (url === null || uri.includes('#') || url.username !== '' || url.password !== '') return 'refused';
  if (url.protocol === 'https:') return 'website';
  if (url.protocol === 'http:') return LOOPBACK_HOSTS.has(url.hostname) ? 'loopback' : 'refused';
  return isKnownProgram(url) || isReverseDomain(url.protocol.slice(0, -1)) ? 'app' : 'refused';
}

function isKnownProgram({ protocol, host, pathname }: URL): boolean {
  const kind = KNOWN_PROGRAMS[protocol];
  if (kind === undefined || host === '' || (kind === 'editor' && !host.includes('.'))) return false;
  const last = pathname.split('/').findLast((part) => part !== '') ?? host;
  return ANSWER_PART.test(last);
}

/** RFC 8252: an app takes a domain that it has, read backwards, so that no other has the same scheme. */
function isReverseDomain(scheme: string): boolean {
  if (!scheme.includes('.')) return false;
  const { isIcann, domain, publicSuffix } = parseDomain(scheme.split('.').reverse().join('.'));
  return (
    isIcann === true &&
    domain !== null &&
    !SYSTEM_MAKERS.has(domain) &&
    !SYSTEM_SUFFIXES.has(publicSuffix ?? '')
  );
}
