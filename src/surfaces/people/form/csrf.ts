import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIES, type WithCookies } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import { cookieName, readCookie, setCookie } from '../../../core/secret/cookies.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { readForm } from './form-body.ts';

const FIELD = 'csrf';
const COOKIE_BYTES = 24;

/**
 * The hidden field that every form carries. It is bound to a cookie of this browser, which is set here when there is
 * none yet, and to every session that the browser has: signing in or out makes older forms worthless.
 */
export function csrfField(deps: Deps, request: FastifyRequest, reply: FastifyReply): Html {
  return html`<input type="hidden" name="${FIELD}" value="${csrfToken(deps, request, reply)}" />`;
}

export function csrfToken(deps: Deps, request: FastifyRequest, reply: FastifyReply): string {
  const { baseUrl } = deps.config;
  // A page with a token belongs to one browser: nothing on the way may keep it for another.
  reply.header('cache-control', 'no-store');
  const held = readCookie(request.headers.cookie, cookieName(baseUrl, formCookie(deps)));
  if (held !== undefined && held !== '') return tokenFor(deps, request, held);
  const fresh = pendingCookies.get(reply) ?? randomBytes(COOKIE_BYTES).toString('base64url');
  if (!pendingCookies.has(reply)) {
    pendingCookies.set(reply, fresh);
    reply.header('set-cookie', setCookie(baseUrl, formCookie(deps), fresh));
  }
  return tokenFor(deps, request, fresh);
}

/** A page may have several forms; all of them belong to the one cookie that its answer sets. */
const pendingCookies = new WeakMap<FastifyReply, string>();

/** Refuses a form that did not come from a page that we gave to this browser. Call it before anything else. */
export function checkCsrf(deps: Deps, request: FastifyRequest): void {
  const held = readCookie(request.headers.cookie, cookieName(deps.config.baseUrl, formCookie(deps)));
  const sent = Buffer.from(readForm(request).get(FIELD) ?? '');
  const [nonce = ''] = sent.toString().split('.');
  const expected = Buffer.from(tokenFor(deps, request, held ?? '', nonce));
  const fits = sent.length === expected.length && timingSafeEqual(sent, expected);
  if (fits && held !== undefined && held !== '' && !isForeign(request)) return;
  throw new AppError(
    'csrf_refused',
    'This form was not opened in this browser, or it was open for too long.',
    { hint: 'Nothing was changed. Go back, load the page again and send the form once more.' },
  );
}

/** By which a browser is known again from form to form: a hash of the cookie to which its forms are bound. */
export function browserOf({ config }: Pick<Deps, 'config'>, request: WithCookies): Buffer {
  const held = readCookie(request.headers.cookie, cookieName(config.baseUrl, formCookie({ config })));
  return createHash('sha256')
    .update(held ?? '')
    .digest();
}

/** What the browser itself says about where a form came from; older ones say nothing, and the token decides alone. */
function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return typeof site === 'string' && site !== 'same-origin' && site !== 'none';
}

/** Every token begins with chance of its own: one that stayed the same could be guessed from sizes of compressed pages. */
function tokenFor(deps: Deps, request: FastifyRequest, held: string, nonce = freshNonce()): string {
  const { baseUrl, prefix } = deps.config;
  const sessions = SESSION_COOKIES.map(
    (name) => readCookie(request.headers.cookie, cookieName(baseUrl, `${prefix}_${name}`)) ?? '',
  );
  const mac = createHmac('sha256', deps.secrets.session)
    .update(JSON.stringify(['csrf', nonce, held, ...sessions]))
    .digest('base64url');
  return `${nonce}.${mac}`;
}

function freshNonce(): string {
  return randomBytes(12).toString('base64url');
}

function formCookie({ config }: Pick<Deps, 'config'>): string {
  return `${config.prefix}_form`;
}
