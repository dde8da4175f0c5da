import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { EgressError } from '../../../core/egress/egress-error.ts';
import { vetUrl } from '../../../core/egress/egress-target.ts';
import { AppError } from '../../../core/errors.ts';
import { takeRateLimits } from '../../../metering/rate-limits.ts';
import { checkCsrf } from '../form/csrf.ts';
import type { FormFields } from '../form/fields.ts';
import { redisplayForm, readForm, readQuery } from '../form/form-body.ts';
import { readFields } from '../form/read-fields.ts';
import { addUploadRoutes, withUploadedFiles, type UploadedFile } from '../form/uploaded-files.ts';
import { formatWait } from '../frame/wording.ts';
import { Refused, type Action } from './action.ts';
import { fillPath, type Frame, type Page } from './page.ts';
import { performAction } from './perform-action.ts';
import { doneNotice, type PageRequest, type PageState, type View } from './page-request.ts';
import type { Audience } from './audience.ts';
import { isEventStream } from './event-streams.ts';
import { admitVisitor, releaseVisitorSlot } from './visitors.ts';

const PROBLEM = 'Nothing was changed. Please check the marked fields.';

/**
 * Mounts a page and its actions. Session, role, CSRF token, rate limits, field validation, transaction, audit row,
 * notice and redirect are handled here, so that no page and no action can forget any of them.
 */
export function addPage<Person, Data>(
  scope: FastifyInstance,
  deps: Deps,
  page: Page<Person, Data>,
  frame: Frame<Person>,
): void {
  const messages = Object.assign({}, page.notices, ...(page.actions ?? []).map(doneMessages)) as Messages;
  const show = async (req: PageRequest<Person>, state: PageState) => {
    const live = page.follows !== undefined && req.request.method === 'GET' ? Date.now() : undefined;
    const view = page.view(req, await page.load(req), state);
    if ('to' in view) return req.reply.redirect(view.to, 303);
    if ('send' in view) return view.send();
    const shown = { notice: state.notice, ...(state.status && { status: state.status }), ...view };
    return frame(req, page, { ...shown, live });
  };
  const { path, who } = page;
  mount(scope, deps, who, { method: 'GET', url: path }, async (req) => {
    if (page.follows === undefined || !isEventStream(req.request))
      return show(req, { notice: doneNotice(req.query, messages) });
    return deps.eventStreams.open(req.reply, {
      topics: page.follows(req),
      reader: who.actor(req.person),
      isAllowed: async () => {
        const person = await who.find(deps, req.request, req.reply);
        return person !== undefined && who.admit?.(person) === undefined;
      },
    });
  });
  const draw = (req: PageRequest<Person>, view: View) => frame(req, page, view);
  for (const action of page.actions ?? []) addAction(scope, deps, action, { path, show, draw });
}

export function addPages<Person>(
  scope: FastifyInstance,
  deps: Deps,
  frame: Frame<Person>,
  pages: readonly Page<Person, unknown>[],
): void {
  for (const page of pages) addPage(scope, deps, page, frame);
}

type Messages = Readonly<Record<string, string>>;

function doneMessages({ name, done = {} }: Pick<Action<unknown>, 'name' | 'done'>): Messages {
  return typeof done === 'string' ? { [name]: done } : done;
}

/** The page on which an action takes place. */
interface ActionPage<Person> {
  path: string;
  /** Shows the page again after an error. */
  show(req: PageRequest<Person>, state: PageState): Promise<FastifyReply>;
  /** Draws another view in the frame of the page. */
  draw?(req: PageRequest<Person>, view: View): Promise<FastifyReply>;
}

/**
 * Mounts an action that no declared page lists, such as a sign-out. `page` shows its errors and views, if it
 * has any.
 */
export function addAction<Person, Fields extends FormFields, Prepared>(
  scope: FastifyInstance,
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
  page?: ActionPage<Person>,
): void {
  if (action.files === undefined) addForm(scope, deps, action, page);
  else
    addUploadRoutes(scope, (inner) => {
      addForm(inner, deps, action, page);
    });
}

/** Mounts an action of a program whose body arrives as bytes, because a signature covers them or they are read later. */
export function addRawAction<Person>(
  app: FastifyInstance,
  deps: Deps,
  action: Action<Person>,
  bodyLimit: number,
): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, parsed) => {
      parsed(null, body);
    });
    addAction(scope, deps, action);
    done();
  });
}

function addForm<Person, Fields extends FormFields, Prepared>(
  scope: FastifyInstance,
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
  page: ActionPage<Person> | undefined,
): void {
  const route = { method: 'POST', url: action.path, files: action.files } as const;
  mount(scope, deps, action.who, route, async (req, files) => {
    const { request, reply } = req;
    const form = readForm(request);
    const again = (state: PageState) => {
      if (state.status !== undefined) reply.code(state.status);
      if (state.retryAfterSeconds !== undefined) reply.header('retry-after', state.retryAfterSeconds);
      if (page === undefined) throw new Error(`${action.name} has no page to show again.`);
      return page.show(req, { action: action.name, form: redisplayForm(form), ...state });
    };
    try {
      action.who.verifyOrigin?.(deps, request, req.person);
      const countedFor = action.who.actor(req.person);
      const counting = { db: deps.pool, deps, now: req.now, countedFor, headers: {}, wait: formatWait };
      await takeRateLimits(counting, action.rateLimits ?? []);
      const read = readFields(form, action.fields ?? ({} as Fields));
      const faults = read.ok
        ? await receiverFaults(deps, action.callbackUrlFields, read.values)
        : read.faults;
      // A form that the page of another address shows, and that a person cannot fill in wrongly.
      if (page === undefined && !read.ok)
        throw new AppError('validation_failed', 'The form was not sent by our page.', {
          hint: 'Go back, load the page again and repeat your choice.',
        });
      if (!read.ok || faults !== undefined)
        return await again({
          status: 422,
          ...(faults && { faults }),
          isInvalid: true,
          notice: { kind: 'bad', text: PROBLEM },
        });
      const { end, effects } = await performAction(deps, action, req, { form, files }, read.values);
      for (const cookie of effects.cookies) reply.header('set-cookie', cookie);
      if ('again' in end) return await again(end.again);
      if ('show' in end) return await end.show(req);
      if ('view' in end) {
        if (page?.draw === undefined) throw new Error(`${action.name} has no page to draw in.`);
        return await page.draw(req, typeof end.view === 'function' ? end.view(req) : end.view);
      }
      const to = 'to' in end ? end.to : doneUrl(action, page, end.done, req.params);
      return await reply.redirect(to, 303);
    } catch (thrown) {
      if (thrown instanceof Refused) return again({ status: 422, ...thrown.state });
      throw thrown;
    }
  });
}

/**
 * Returns errors for the URLs in a form that we will call; undefined when there are none. Only DNS is queried, before
 * the transaction begins, so that the person learns of a problem now and not at the first call.
 */
async function receiverFaults(
  { egress }: Pick<Deps, 'egress'>,
  receivers: readonly string[] = [],
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, string> | undefined> {
  for (const name of receivers) {
    try {
      await vetUrl(egress, String(values[name]));
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      return { [name]: thrown.message };
    }
  }
  return undefined;
}

/** Returns the URL of the action's page, with the key of the success message. */
function doneUrl(
  { name }: { name: string },
  page: { path: string } | undefined,
  done: string | true,
  params: Readonly<Record<string, string>>,
): string {
  if (page === undefined) throw new Error(`${name} has no page to show afterwards.`);
  return `${fillPath(page.path, params)}?done=${done === true ? name : done}`;
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
        // Rejects a form that another site sent in the person's name. `verifyOrigin` runs later instead.
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
