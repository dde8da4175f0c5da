import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../../../core/context.ts';
import { takeCeilings } from '../../../metering/ceilings.ts';
import { checkCsrf } from '../form/csrf.ts';
import { shownForm, readForm, readQuery } from '../form/form-body.ts';
import { readFields } from '../form/read-fields.ts';
import { addUploadRoutes, withUploadedFiles, type UploadedFile } from '../form/uploaded-files.ts';
import { waitWords } from '../frame/wording.ts';
import { Refused, type Action } from './action.ts';
import { performAction, type Performed } from './perform-action.ts';
import type { PageState, PageRequest } from './page-request.ts';
import { receiverFaults } from './receiver-faults.ts';
import type { Audience } from './audience.ts';
import { admitVisitor, pageMade } from './visitors.ts';

interface PersonPage<Person> {
  path: string;
  who: Audience<Person>;
  show(req: PageRequest<Person>): Promise<FastifyReply>;
}

const PROBLEM = 'Nothing was changed. Look at what is marked.';

/** Mounts a page for people of one kind. It has no handle that can write. */
export function addPage<Person>(scope: FastifyInstance, deps: Deps, page: PersonPage<Person>): void {
  mount(scope, deps, page.who, { method: 'GET', url: page.path }, (req) => page.show(req));
}

/**
 * Mounts what people of one kind do on a page: session, role, the form's token, ceilings, fields, the transaction, the
 * audit row and where to go next are seen to here. An action cannot forget any of this, because it never does it.
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
      return action.page(req, { action: action.name, form: shownForm(form), ...state });
    };
    try {
      action.who.vouch?.(deps, request, req.person);
      const countedFor = action.who.actor(req.person);
      const counting = { db: deps.pool, deps, now: req.now, countedFor, headers: {}, wait: waitWords };
      await takeCeilings(counting, action.counts ?? []);
      const read = action.form && readFields(form, action.form, action);
      const values = (read?.ok === true ? read.values : {}) as z.output<Fields>;
      const faults = read?.ok === false ? read.faults : await receiverFaults(deps, action.receivers, values);
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
  type Found = { person: Person } | { first?: string | undefined };
  const known = new WeakMap<FastifyRequest, Found>();
  // A page reads on connections that cannot write.
  const readDeps: Deps = { ...deps, pool: deps.readPool };
  /** Whom the request is from, or where somebody who may not do this yet goes first. */
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<Found> => {
    const person = await who.find(deps, request, reply);
    const first = person === undefined ? undefined : who.admit?.(person);
    if (person !== undefined && first === undefined) return { person };
    if (who.refusal !== undefined && !isForPerson(request)) throw who.refusal();
    return { first };
  };
  const isVisit = ({ method }: FastifyRequest, found: Found) =>
    method !== 'POST' && (who.visitors === true || !('person' in found));
  const leadOn = (request: FastifyRequest, reply: FastifyReply, first?: string) =>
    first === undefined ? who.turnAway(deps, request, reply) : reply.redirect(first, 303);
  scope.route({
    ...route,
    // Before the body is read: nobody else may send us megabytes.
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const found = await check(request, reply);
      if ('person' in found) known.set(request, found);
      // Whoever is signed in gets in, whatever others behind the same address do.
      if (isVisit(request, found)) await admitVisitor(deps, request, reply);
      // A form is led on only once it was read as one; files are not read for it.
      if (
        !('person' in found) &&
        (request.method !== 'POST' || found.first !== undefined || files !== undefined)
      )
        return leadOn(request, reply, found.first);
      return undefined;
    },
    onSend: pageMade,
    handler: (request, reply) => {
      const answer = async (carried: readonly UploadedFile[]) => {
        const isForm = request.method === 'POST';
        // Refuses a form that another page sent in the person's name; whoever has no token of ours is vouched for later.
        if (isForm && who.vouch === undefined) checkCsrf(deps, request);
        // A body may take minutes, and the session or the role may have ended meanwhile.
        const found: Found = isForm ? await check(request, reply) : (known.get(request) ?? {});
        if (!('person' in found)) return leadOn(request, reply, found.first);
        const about = { deps: readDeps, request, reply, person: found.person, now: deps.clock.now() };
        const params = request.params as Record<string, string>;
        return handle({ ...about, params, query: readQuery(request) }, carried);
      };
      if (files === undefined) return answer([]);
      return withUploadedFiles(deps, { request, reply }, files.bytesMax, answer);
    },
  });
}

/** A page leads on to the sign-in; a form or a program that nobody signed in is refused. */
function isForPerson(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
}

function finish<Person>(
  req: PageRequest<Person>,
  { end, effects }: Performed,
  again: (state: PageState) => Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const { reply } = req;
  for (const cookie of effects.cookies) reply.header('set-cookie', cookie);
  if ('to' in end) return reply.redirect(end.to, 303);
  return 'show' in end ? end.show(req) : again(end.again);
}
