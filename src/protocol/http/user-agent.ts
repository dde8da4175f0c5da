import knownUserAgents from './library-user-agents.json' with { type: 'json' };

const LENGTH_MIN = 5;
const BACKSLASH = '\\'.charCodeAt(0);
const OPENING = '('.charCodeAt(0);
const CLOSING = ')'.charCodeAt(0);

// Word separators of a User-Agent. A table, because it is read for every character of every request.
const SEPARATORS = Uint8Array.from({ length: 128 }, (_, code) =>
  code <= 0x20 || code === 0x7f || '();,"<>'.includes(String.fromCharCode(code)) ? 1 : 0,
);

const libraryTokens = new Set(knownUserAgents.libraries.map(({ token }) => token.toLowerCase()));

const specials = knownUserAgents.specials.map((special) => ({
  products: special.products.map((product) => product.toLowerCase()),
  withoutComment: special.without_comment === true,
}));

const specialProducts = new Set(specials.flatMap(({ products }) => products));

const libraryPlacesByHost = Map.groupBy(
  [...knownUserAgents.libraries, ...knownUserAgents.specials].flatMap(({ urls }) =>
    (urls ?? []).map((url) => placeOf(new URL(url))),
  ),
  ({ host }) => host,
);

interface ParsedUserAgent {
  /** The products read so far, in lower case; each is a library's or part of a special value. */
  products: string[];
  hasComment: boolean;
  /** True once a product of the caller or a contact was found: the value is then real whatever follows. */
  namesCaller: boolean;
}

/** True when one of the products is not a library, or there is a contact that is not a library's own URL. */
export function isRealUserAgent(userAgent: string | undefined): boolean {
  const value = userAgent?.trim() ?? '';
  if (value.length < LENGTH_MIN) return false;
  const reading = read(value);
  if (reading.namesCaller) return true;
  return !reading.products.every((product) => libraryTokens.has(product)) && !isSpecial(reading);
}

function read(value: string): ParsedUserAgent {
  const reading: ParsedUserAgent = { products: [], hasComment: false, namesCaller: false };
  let depth = 0;
  let wordStart = 0;
  for (let at = 0; at <= value.length && !reading.namesCaller; at += 1) {
    const code = at < value.length ? value.charCodeAt(at) : 0;
    // A backslash in a comment escapes the next character, so that `\)` does not close it.
    if (code === BACKSLASH && depth > 0) at += 1;
    if (SEPARATORS[code] !== 1) continue;
    if (at > wordStart) readWord(value.slice(wordStart, at), depth > 0, reading);
    wordStart = at + 1;
    if (code === OPENING) depth += 1;
    if (code === CLOSING && depth > 0) depth -= 1;
  }
  return reading;
}

function readWord(word: string, inComment: boolean, reading: ParsedUserAgent): void {
  if (isContact(word)) {
    reading.namesCaller = true;
  } else if (inComment) {
    reading.hasComment = true;
  } else {
    const product = productName(word);
    if (product === undefined) return;
    reading.products.push(product);
    reading.namesCaller = !libraryTokens.has(product) && !specialProducts.has(product);
  }
}

function productName(word: string): string | undefined {
  if (word.includes('://')) return undefined;
  const name = /[\p{L}\p{N}][\p{L}\p{N}._-]*/u.exec(word)?.[0];
  // A separate version, as in `Faraday v2.12.2`, belongs to the product before it.
  if (name === undefined || /^v?\d+(?:$|\.\d)/i.test(name)) return undefined;
  return name.toLowerCase();
}

function isContact(word: string): boolean {
  if (word.includes('://')) {
    const scheme = word.search(/https?:\/\//i);
    return scheme >= 0 && isContactUrl(word.slice(scheme));
  }
  if (!word.includes('@')) return false;
  const [local, domain = '', ...rest] = word.split('@', 3);
  return local !== '' && rest.length === 0 && isMailDomain(domain);
}

function isContactUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url?.hostname.includes('.')) return false;
  const { host, path } = placeOf(url);
  return !libraryPlacesByHost.get(host)?.some((library) => path.startsWith(library.path));
}

/** The last label starts with a letter, so that `axios@1.7.9` is a package and not an email address. */
function isMailDomain(domain: string): boolean {
  const labels = (domain.endsWith('.') ? domain.slice(0, -1) : domain).split('.');
  return labels.length > 1 && !labels.includes('') && /^\p{L}./u.test(labels.at(-1) ?? '');
}

/** The trailing slash makes a prefix end with a path segment: `/got` is not a prefix of `/got-fork`. */
function placeOf(url: URL): { host: string; path: string } {
  const path = url.pathname.toLowerCase();
  return { host: url.hostname.replace(/^www\./, ''), path: path.endsWith('/') ? path : `${path}/` };
}

function isSpecial({ products, hasComment }: ParsedUserAgent): boolean {
  return specials.some(
    (special) =>
      special.products.length === products.length &&
      special.products.every((product, position) => product === products[position]) &&
      !(special.withoutComment && hasComment),
  );
}
