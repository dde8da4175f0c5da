import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../../../core/context.ts';
import { takeCeilings } from '../../../metering/rate-limits.ts';
import { checkCsrf } from '../form/csrf.ts';
import { redisplayForm, readForm, readQuery } from '../form/form-body.ts';
import { readFields } from '../form/read-fields.ts';
import { addUploadRoutes, withUploadedFiles, type UploadedFile } from '../form/uploaded-files.ts';
import { formatWait } from '../frame/wording.ts';
import { Refused, type Action } from './action.ts';
import { performAction, type ActionOutcome } from './perform-action.ts';
import type { PageState, PageRequest } from './page-request.ts';
import { receiverFaults } from './receiver-faults.ts';
import type { Audience } from './audience.ts';
import { admitVisitor, releaseVisitorSlot } from './visitors.ts';

interface PersonPage<Person> {
  path: string;
  who: Audience<Person>;
  show(req: PageRequest<Person>): Promise<FastifyReply>;
}

const PROBLEM = 'Nothing was changed. Please check the marked fields.';

/** Mounts a page for one audience. It has no writable database handle. */
export function addPage<Person>(scope: FastifyInstance, deps: Deps, page: PersonPage<Person>): void {
  mount(scope, deps, page.who, { method: 'GET', url: page.path }, (req) => page.show(req));
}

/**
 * Mounts an action of one audience. Session, role, CSRF token, rate limits, field validation, transaction, audit row
 * and redirect are handled here, so that no action can forget any of them.
 */
export function addAction<Person, Fields extends z.ZodObject, Prepared = undefined>(
  scope: FastifyInstance,
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
): void {
  if (action.files === undefined) addForm(scope, deps, action);
  else
    addUploadRoutes(scope, (inner) => {
      addForm(inner, deps, action);
    });
}

export function addActions(
  scope: FastifyInstance,
  deps: Deps,
  ...actions: readonly Action<unknown, z.ZodObject, unknown>[]
): void {
  for (const action of actions) addAction(scope, deps, action);
}

function addForm<Person, Fields extends z.ZodObject, Prepared>(
  scope: FastifyInstance,
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
): void {
  const route = { method: 'POST', url: action.path, files: action.files } as const;
  mount(scope, deps, action.who, route, async (req, files) => {
    const { request } = req;
    const form = readForm(request);
    const again = (state: PageState) => {
      if (state.status !== undefined) req.reply.code(state.status);
      if (state.retryAfterSeconds !== undefined) req.reply.header('retry-after', state.retryAfterSeconds);
      if (action.page === undefined) throw new Error(`${action.name} has no page to show again.`);
      return action.page(req, { action: action.name, form: redisplayForm(form), ...state });
    };
    try {
      action.who.verifyOrigin?.(deps, request, req.person);
      const countedFor = action.who.actor(req.person);
      const counting = { db: deps.pool, deps, now: req.now, countedFor, headers: {}, wait: formatWait };
      await takeCeilings(counting, action.rateLimits ?? []);
      const read = action.form && readFields(form, action.form, action);
      const values = (read?.ok === true ? read.values : {}) as z.output<Fields>;
      const faults =
        read?.ok === false ? read.faults : await receiverFaults(deps, action.callbackUrlFields, values);
      if (faults !== undefined)
        return await again({ status: 422, faults, notice: { kind: 'bad', text: PROBLEM } });
      return await finish(req, await performAction(deps, action, req, { form, files }, values), again);
    } catch (thrown) {
      if (thrown instanceof Refused) return again({ status: 422, ...thrown.state });
      throw thrown;
    }
  });
}

function mount<Person>(
  scope: FastifyInstance,
  deps: Deps,
  who: Audience<Person>,
  { files, ...route }: Pick<RouteOptions, 'method' | 'url'> & Pick<Action<Person>, 'files'>,
  handle: (req: PageRequest<Person>, files: readonly UploadedFile[]) => Promise<FastifyReply>,
): void {
  type AuthResult = { person: Person } | { first?: string | undefined };
  const authenticated = new WeakMap<FastifyRequest, AuthResult>();
  // Pages read on connections that cannot write.
  const readDeps: Deps = { ...deps, pool: deps.readPool };
  /** Authenticates the request; `first` is the step that a person who may not do this yet must complete. */
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<AuthResult> => {
    const person = await who.find(deps, request, reply);
    const first = person === undefined ? undefined : who.admit?.(person);
    if (person !== undefined && first === undefined) return { person };
    if (who.refusal !== undefined && !isForPerson(request)) throw who.refusal();
    return { first };
  };
  const isVisit = ({ method }: FastifyRequest, auth: AuthResult) =>
    method !== 'POST' && (who.isPublic === true || !('person' in auth));
  const redirectAway = (request: FastifyRequest, reply: FastifyReply, first?: string) =>
    first === undefined ? who.turnAway(deps, request, reply) : reply.redirect(first, 303);
  scope.route({
    ...route,
    // Runs before the body is read, so that unauthenticated clients cannot send megabytes.
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const auth = await check(request, reply);
      if ('person' in auth) authenticated.set(request, auth);
      // Signed-in people are not limited by other visitors behind the same address.
      if (isVisit(request, auth)) await admitVisitor(deps, request, reply);
      // A form is redirected only after it was parsed; uploads are not read for that.
      if (
        !('person' in auth) &&
        (request.method !== 'POST' || auth.first !== undefined || files !== undefined)
      )
        return redirectAway(request, reply, auth.first);
      return undefined;
    },
    onSend: releaseVisitorSlot,
    handler: (request, reply) => {
      const answer = async (carried: readonly UploadedFile[]) => {
        const isForm = request.method === 'POST';
        // Rejects a form that another site sent in the person's name; `vouch` runs later for senders without our token.
        if (isForm && who.verifyOrigin === undefined) checkCsrf(deps, request);
        // Reading a body may take minutes, and the session or the role may have ended meanwhile.
        const auth: AuthResult = isForm ? await check(request, reply) : (authenticated.get(request) ?? {});
        if (!('person' in auth)) return redirectAway(request, reply, auth.first);
        const about = { deps: readDeps, request, reply, person: auth.person, now: deps.clock.now() };
        const params = request.params as Record<string, string>;
        return handle({ ...about, params, query: readQuery(request) }, carried);
      };
      if (files === undefined) return answer([]);
      return withUploadedFiles(deps, { request, reply }, files.bytesMax, answer);
    },
  });
}

/** True for page requests, which are redirected to the sign-in; forms and programs without a session are rejected. */
function isForPerson(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
}

function finish<Person>(
  req: PageRequest<Person>,
  { end, effects }: ActionOutcome,
  again: (state: PageState) => Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const { reply } = req;
  for (const cookie of effects.cookies) reply.header('set-cookie', cookie);
  if ('to' in end) return reply.redirect(end.to, 303);
  return 'show' in end ? end.show(req) : again(end.again);
}
