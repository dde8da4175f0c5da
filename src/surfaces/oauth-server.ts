import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { protectedResources } from '../accounts/keys/protected-resource.ts';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { isUnavailable } from '../core/postgres/db.ts';
import { lazy } from '../core/memory/lazy.ts';
import { callerGroup, type AddressGroup } from '../core/text/address-group.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../oauth/paths.ts';
import type { RenderError } from '../oauth/provider.ts';
import { registerClient, RegistrationError } from '../oauth/register-client.ts';
import { requestedScopes, resolveResource, scopeNames } from '../oauth/scopes.ts';
import { errorPage } from './people/oauth/error-page.ts';
import type { OauthLibrary } from './people/oauth/connect-page.ts';
import { addOauthPages } from './people/oauth/oauth-pages.ts';
import { anyProgram } from './people/person/audience.ts';
import { addAction } from './people/person/person-route.ts';
import { HOUR_MS } from '../core/time.ts';

/**
 * Limit per address, because each authorization request is a row until somebody decides. People come with their own
 * browsers, but a whole office or campus may share an address.
 */
const AUTHORIZATIONS_PER_HOUR = 3_000;

/** Adds the authorization server: its endpoints for programs, and the pages on which a person decides. */
export function addOauth(app: FastifyInstance, deps: Deps): void {
  const library = lazy(() => loadLibrary(deps));
  addLibraryRoutes(app, deps, library);
  addRegistration(app, deps);
  addOauthPages(app, deps, library);
}

async function loadLibrary(deps: Deps): ReturnType<OauthLibrary> {
  const { createProvider } = await import('../oauth/provider.ts');
  const { errors } = await import('../oauth/library.ts');
  return { provider: createProvider(deps, errorRenderer(deps)), errors };
}

function errorRenderer(deps: Deps): RenderError {
  return (ctx, out, thrown) => {
    if (isUnavailable(thrown)) ctx.status = 503;
    // Some errors are meant for redirects only and have a redirect status; here they are shown.
    if (ctx.status < 400) ctx.status = 400;
    if (ctx.accepts('json', 'html') !== 'html') {
      ctx.body = out;
      return;
    }
    ctx.type = 'html';
    ctx.body = errorPage(deps, ctx.status, out);
  };
}

function addRegistration(app: FastifyInstance, deps: Deps): void {
  addAction(app, deps, {
    name: 'register_client',
    path: REGISTER_PATH,
    who: anyProgram,
    async run(act) {
      try {
        const { client, created } = await registerClient(act.db, act, act.request.body, act.person.address);
        if (created) act.audit(client.client_id);
        else act.unchanged();
        return { show: ({ reply }) => reply.code(201).send(client) };
      } catch (thrown) {
        if (!(thrown instanceof RegistrationError)) throw thrown;
        const { error, message } = thrown;
        act.unchanged();
        return { show: ({ reply }) => reply.code(400).send({ error, error_description: message }) };
      }
    },
  });
}

/** Adds the routes that the library serves. It parses bodies itself, so they are in a scope without other parsers. */
function addLibraryRoutes(app: FastifyInstance, deps: Deps, library: OauthLibrary): void {
  const callback = lazy(async () => (await library()).provider.callback());
  const handOver = async (request: FastifyRequest, reply: FastifyReply) => {
    const serve = await callback();
    const { raw } = request;
    pretendProxy(raw, deps.config.baseUrl, callerGroup(request));
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    void serve(raw, reply.raw);
    return reply;
  };
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    scope.get(AUTHORIZE_PATH, async (request, reply) => {
      await chargeAuthorization(deps, callerGroup(request));
      request.raw.url = addResourceAndScopes(request.url, deps.config);
      return handOver(request, reply);
    });
    scope.get(`${AUTHORIZE_PATH}/:uid`, handOver);
    scope.post(TOKEN_PATH, handOver);
    scope.post(REVOKE_PATH, handOver);
    done();
  });
}

/** The library builds addresses and cookies from these headers: they carry BASE_URL, however the request came in. */
function pretendProxy(raw: IncomingMessage, baseUrl: string, address: AddressGroup): void {
  const { protocol, host } = new URL(baseUrl);
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  raw.headers['x-forwarded-host'] = host;
  delete raw.headers['x-forwarded-for'];
  Object.assign(raw, { callerAddress: address });
}

/** Adds the intended resource and its scopes to a request. A request that names unknown ones is left unchanged. */
function addResourceAndScopes(url: string, config: Deps['config']): string {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  // The request is stored until somebody decides, and control characters cannot be stored.
  if ([...query.values()].some((value) => /\p{Cc}/u.test(value)))
    throw new AppError('bad_request', 'A parameter of the authorization request has control characters.', {
      hint: 'Remove them and start the sign-in again from your client.',
    });
  if (query.getAll('scope').length > 1 || query.getAll('resource').length > 1) return url;
  const { prefix } = config;
  const [resource, scope] = [query.get('resource'), query.get('scope')];
  const target = resolveResource(prefix, protectedResources(config), { resource, scope });
  if (target === undefined) return url;
  query.set('resource', target.url);
  const scopes = requestedScopes(prefix, scope, target);
  if (scopes.length > 0) query.set('scope', scopeNames(prefix, scopes));
  return `${AUTHORIZE_PATH}?${query.toString()}`;
}

async function chargeAuthorization(deps: Deps, address: AddressGroup): Promise<void> {
  const limit = { name: `oauth_authorize/${address}`, max: AUTHORIZATIONS_PER_HOUR, windowMs: HOUR_MS };
  const result = await takeFromWindow(deps.pool, limit, deps.clock.now());
  if (result.allowed) return;
  throw new AppError('rate_limited', 'Too many authorizations were started from this address.', {
    retryAfterSeconds: result.resetsInSeconds,
  });
}
