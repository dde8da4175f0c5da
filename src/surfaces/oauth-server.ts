import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { protectedResources } from '../accounts/keys/protected-resource.ts';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { isUnavailable } from '../core/postgres/db.ts';
import { whenNeeded } from '../core/memory/when-needed.ts';
import { callerGroup, type AddressGroup } from '../core/text/address-group.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../oauth/paths.ts';
import type { RenderError } from '../oauth/provider.ts';
import { registerClient, RegistrationError } from '../oauth/register-client.ts';
import { askedScopes, meantResource, scopeNames } from '../oauth/scopes.ts';
import { errorPage } from './people/oauth/error-page.ts';
import type { OauthLibrary } from './people/oauth/connect-page.ts';
import { addOauthPages } from './people/oauth/oauth-pages.ts';
import { anyProgram } from './people/person/audience.ts';
import { addAction } from './people/person/person-route.ts';
import { HOUR_MS } from '../core/time.ts';

/**
 * Each request for authorization is a row until somebody decides. People come with their own browsers, but a whole office
 * or campus may share an address.
 */
const AUTHORIZATIONS_PER_HOUR = 3_000;

/** The authorization server: its endpoints for programs, and the pages on which a person decides. */
export function addOauth(app: FastifyInstance, deps: Deps): void {
  const library = whenNeeded(() => loadLibrary(deps));
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
    // Some errors are of redirects only, by their status too; here they are shown.
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
        const { client, made } = await registerClient(act.db, act, act.request.body, act.person.address);
        if (made) act.audit(client.client_id);
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

/** Routes that the library serves. It reads bodies itself, so they stand in a scope in which nothing else does. */
function addLibraryRoutes(app: FastifyInstance, deps: Deps, library: OauthLibrary): void {
  const callback = whenNeeded(async () => (await library()).provider.callback());
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
      await takeAuthorization(deps, callerGroup(request));
      request.raw.url = completed(request.url, deps.config);
      return handOver(request, reply);
    });
    scope.get(`${AUTHORIZE_PATH}/:uid`, handOver);
    scope.post(TOKEN_PATH, handOver);
    scope.post(REVOKE_PATH, handOver);
    done();
  });
}

/** The library builds addresses and cookies from what it hears: it hears BASE_URL, however the request came in. */
function pretendProxy(raw: IncomingMessage, baseUrl: string, address: AddressGroup): void {
  const { protocol, host } = new URL(baseUrl);
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  raw.headers['x-forwarded-host'] = host;
  delete raw.headers['x-forwarded-for'];
  Object.assign(raw, { callerAddress: address });
}

/** The request with the resource that is meant and the scopes of it. One that names foreign ones stays as it is. */
function completed(url: string, config: Deps['config']): string {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  // The request is kept until somebody decides, and such characters cannot be kept.
  if ([...query.values()].some((value) => /\p{Cc}/u.test(value)))
    throw new AppError('bad_request', 'The address contains control characters.');
  if (query.getAll('scope').length > 1 || query.getAll('resource').length > 1) return url;
  const { prefix } = config;
  const [resource, scope] = [query.get('resource'), query.get('scope')];
  const meant = meantResource(prefix, protectedResources(config), { resource, scope });
  if (meant === undefined) return url;
  query.set('resource', meant.url);
  const scopes = askedScopes(prefix, scope, meant);
  if (scopes.length > 0) query.set('scope', scopeNames(prefix, scopes));
  return `${AUTHORIZE_PATH}?${query.toString()}`;
}

async function takeAuthorization(deps: Deps, address: AddressGroup): Promise<void> {
  const limit = { name: `oauth_authorize/${address}`, max: AUTHORIZATIONS_PER_HOUR, windowMs: HOUR_MS };
  const taken = await takeFromWindow(deps.pool, limit, deps.clock.now());
  if (taken.allowed) return;
  throw new AppError('rate_limited', 'Too many authorizations were begun from this address.', {
    retryAfterSeconds: taken.resetsInSeconds,
  });
}
