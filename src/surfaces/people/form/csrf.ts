import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIES, type WithCookies } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import { cookieName, readCookie, setCookie } from '../../../core/secret/cookies.ts';
import { hashToken } from '../../../core/secret/token.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { readForm } from './form-body.ts';

const FIELD = 'csrf';
const COOKIE_BYTES = 24;

/**
 * Renders the hidden token field that every form carries. The token is bound to a browser cookie, which is set here
 * when missing, and to every session of the browser: signing in or out invalidates older forms.
 */
export function csrfField(deps: Deps, request: FastifyRequest, reply: FastifyReply): Html {
  return html`<input type="hidden" name="${FIELD}" value="${csrfToken(deps, request, reply)}" />`;
}

function csrfToken(deps: Deps, request: FastifyRequest, reply: FastifyReply): string {
  const { baseUrl } = deps.config;
  // A page with a token belongs to one browser, so no cache may store it.
  reply.header('cache-control', 'no-store');
  const cookie = readCookie(request.headers.cookie, cookieName(baseUrl, formCookie(deps)));
  if (cookie !== undefined && cookie !== '') return tokenFor(deps, request, cookie);
  const fresh = pendingCookies.get(reply) ?? randomBytes(COOKIE_BYTES).toString('base64url');
  if (!pendingCookies.has(reply)) {
    pendingCookies.set(reply, fresh);
    reply.header('set-cookie', setCookie(baseUrl, formCookie(deps), fresh));
  }
  return tokenFor(deps, request, fresh);
}

/** A page may have several forms; all of them use the one cookie that its response sets. */
const pendingCookies = new WeakMap<FastifyReply, string>();

/** Rejects a form that did not come from a page served to this browser. Call it before anything else. */
export function checkCsrf(deps: Deps, request: FastifyRequest): void {
  const cookie = readCookie(request.headers.cookie, cookieName(deps.config.baseUrl, formCookie(deps)));
  const sent = Buffer.from(readForm(request).get(FIELD) ?? '');
  const [nonce = ''] = sent.toString().split('.');
  const expected = Buffer.from(tokenFor(deps, request, cookie ?? '', nonce));
  const matches = sent.length === expected.length && timingSafeEqual(sent, expected);
  if (matches && cookie !== undefined && cookie !== '' && !isForeign(request)) return;
  throw new AppError(
    'csrf_refused',
    'This form was not opened in this browser, or it was open for too long.',
    { hint: 'Nothing was changed. Go back, load the page again and send the form once more.' },
  );
}

/** Returns a hash of the form cookie, which identifies a browser across forms. */
export function browserHash({ config }: Pick<Deps, 'config'>, request: WithCookies): Buffer {
  const cookie = readCookie(request.headers.cookie, cookieName(config.baseUrl, formCookie({ config })));
  return hashToken(cookie ?? '');
}

/**
 * True when the browser reports another origin. Older browsers send no Sec-Fetch-Site; then the token alone decides.
 */
function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return typeof site === 'string' && site !== 'same-origin' && site !== 'none';
}

/** Every token begins with a random nonce: a constant token could be guessed from the sizes of compressed pages. */
function tokenFor(deps: Deps, request: FastifyRequest, cookie: string, nonce = freshNonce()): string {
  const { baseUrl, prefix } = deps.config;
  const sessions = SESSION_COOKIES.map(
    (name) => readCookie(request.headers.cookie, cookieName(baseUrl, `${prefix}_${name}`)) ?? '',
  );
  const mac = createHmac('sha256', deps.secrets.session)
    .update(JSON.stringify(['csrf', nonce, cookie, ...sessions]))
    .digest('base64url');
  return `${nonce}.${mac}`;
}

function freshNonce(): string {
  return randomBytes(12).toString('base64url');
}

function formCookie({ config }: Pick<Deps, 'config'>): string {
  return `${config.prefix}_form`;
}
