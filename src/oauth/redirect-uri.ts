import { parse as parseDomain } from 'tldts';

/** Target of a redirect: a website, a program on the person's own computer, an app, or a target that we refuse. */
type RedirectKind = 'website' | 'loopback' | 'app' | 'refused';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** MCP clients with a scheme of one word. Editors pass an address to the extension that its host names. */
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

/** Last path segment of such an address where an OAuth response is expected: oauth2callback, authenticate. */
const CALLBACK_SEGMENT = /auth|callback/i;

/** Operating system vendors, whose own schemes contain dots too: microsoft.windows.camera, com.apple.tv. */
const SYSTEM_VENDORS = new Set(['apple.com', 'microsoft.com', 'windows.com', 'android.com']);
const SYSTEM_SUFFIXES = new Set(['apple', 'microsoft', 'windows', 'android']);

/** Classifies by an allowlist: nobody could list all schemes that trigger actions. */
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
  return CALLBACK_SEGMENT.test(last);
}

/** RFC 8252: an app uses a domain that it owns, reversed, so that no other app has the same scheme. */
function isReverseDomain(scheme: string): boolean {
  if (!scheme.includes('.')) return false;
  const { isIcann, domain, publicSuffix } = parseDomain(scheme.split('.').reverse().join('.'));
  return (
    isIcann === true &&
    domain !== null &&
    !SYSTEM_VENDORS.has(domain) &&
    !SYSTEM_SUFFIXES.has(publicSuffix ?? '')
  );
}
