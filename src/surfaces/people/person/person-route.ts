import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { recordAudit } from '../../../core/audit.ts';
import type { Deps, StepContext } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { transactionsOf, type Db } from '../../../core/postgres/db.ts';
import { takeFromWindows } from '../../../metering/rate-window.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm, readQuery } from '../form/form-body.ts';
import { readFields } from '../form/read-fields.ts';
import { waitWords } from '../frame/wording.ts';
import { Refused, type ActionContext, type Action, type ActionResult } from './action.ts';
import type { PageState, PageRequest } from './page-request.ts';
import { receiverFaults } from './receiver-faults.ts';
import type { Audience } from './audience.ts';

interface PersonPage<Person> {
  path: string;
  who: Audience<Person>;
  show(visit: PageRequest<Person>): Promise<FastifyReply>;
}

const PROBLEM = 'Nothing was changed. Look at what is marked.';

/** Mounts a page for people of one kind. It has no handle that can write. */
export function addPage<Person>(scope: FastifyInstance, deps: Deps, page: PersonPage<Person>): void {
  mount(scope, deps, page.who, { method: 'GET', url: page.path }, (visit) => page.show(visit));
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
  mount(scope, deps, action.who, { method: 'POST', url: action.path }, async (visit) => {
    const { request } = visit;
    if (action.who.vouch === undefined) checkCsrf(deps, request);
    else action.who.vouch(deps, request);
    await takeCeilings(deps, action, visit);
    const form = readForm(request);
    const again = (told: PageState) => {
      if (told.status !== undefined) visit.reply.code(told.status);
      if (told.retryAfterSeconds !== undefined) visit.reply.header('retry-after', told.retryAfterSeconds);
      if (action.page === undefined) throw new Error(`${action.name} has no page to show again.`);
      return action.page(visit, { action: action.name, form, ...told });
    };
    const read = action.form && readFields(form, action.form, action.numbers);
    const values = (read?.ok === true ? read.values : {}) as z.output<Fields>;
    const faults = read?.ok === false ? read.faults : await receiverFaults(deps, action.receivers, values);
    if (faults !== undefined) return again({ status: 422, faults, notice: { kind: 'bad', text: PROBLEM } });
    try {
      return await finish(visit, await perform(deps, action, visit, form, values), again);
    } catch (thrown) {
      if (thrown instanceof Refused) return again({ status: 422, ...thrown.told });
      throw thrown;
    }
  });
}

function mount<Person>(
  scope: FastifyInstance,
  deps: Deps,
  who: Audience<Person>,
  route: Pick<RouteOptions, 'method' | 'url'>,
  handle: (visit: PageRequest<Person>) => Promise<FastifyReply>,
): void {
  const known = new WeakMap<FastifyRequest, { person: Person }>();
  // A page reads on connections that cannot write.
  const readDeps: Deps = { ...deps, pool: deps.readPool };
  scope.route({
    ...route,
    // Before the body is read: nobody else may send us megabytes.
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const person = await who.find(deps, request, reply);
      const first = person === undefined ? undefined : who.admit?.(person);
      if (person !== undefined && first === undefined) {
        known.set(request, { person });
        return undefined;
      }
      if (who.refusal !== undefined && !isForPerson(request)) throw who.refusal();
      return first === undefined ? who.turnAway(deps, request, reply) : reply.redirect(first, 303);
    },
    handler: (request, reply) => {
      const { person } = known.get(request) as { person: Person };
      return handle({
        deps: readDeps,
        request,
        reply,
        person,
        params: request.params as Record<string, string>,
        query: readQuery(request),
        now: deps.clock.now(),
      });
    },
  });
}

/** A page leads on to the sign-in; a form or a program that nobody signed in is refused. */
function isForPerson(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
}

async function takeCeilings<Person, Fields extends z.ZodObject, Prepared>(
  deps: Deps,
  { counts = [], who }: Action<Person, Fields, Prepared>,
  { person, now }: PageRequest<Person>,
): Promise<void> {
  const limits = counts.map(({ name, windowMs, max }) => ({
    name: `${name}/${who.actor(person)}`,
    max: max(deps),
    windowMs,
  }));
  if (limits.length === 0) return;
  const taken = await takeFromWindows(deps.pool, limits, now);
  const full = taken.findIndex(({ allowed }) => !allowed);
  const ceiling = counts[full];
  if (ceiling === undefined) return;
  const retryAfterSeconds = taken[full]?.resetsInSeconds ?? 1;
  throw new AppError(ceiling.code, ceiling.words, {
    hint: `Try again in ${waitWords(retryAfterSeconds)}.`,
    retryAfterSeconds,
    violatedPolicies: [ceiling.name],
  });
}

/** What an action wants done once it has ended. */
interface AfterEffects {
  about: Parameters<ActionContext<unknown>['audit']> | undefined;
  actor: string | undefined;
  unchanged: boolean;
  outdatesKeys: boolean;
  cookies: string[];
  after: ((outside: StepContext) => Promise<ActionResult | undefined>) | undefined;
}

interface Performed {
  end: ActionResult;
  wishes: AfterEffects;
}

async function perform<Person, Fields extends z.ZodObject, Prepared>(
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
  visit: PageRequest<Person>,
  form: URLSearchParams,
  values: z.output<Fields>,
): Promise<Performed> {
  const inTransaction = transactionsOf(deps.pool);
  const prepared = (await action.prepare?.({ ...visit, form, inTransaction })) as Prepared;
  const performed = await inTransaction(async (tx) => {
    const { act, wishes } = actOf(deps, visit, form, tx);
    const end = await action.run(act, values, prepared);
    const silent = wishes.unchanged || ('again' in end && wishes.about === undefined);
    if (!silent) {
      const [subject = null, detail = {}, operation = action.name] = wishes.about ?? [];
      await recordAudit(tx, {
        at: visit.now,
        actor: wishes.actor ?? action.who.actor(visit.person),
        operation,
        requestId: visit.request.id,
        subject,
        detail,
      });
    }
    return { end, wishes };
  });
  if (performed.wishes.outdatesKeys) await deps.lease.lapsed();
  const end = await performed.wishes.after?.({ deps, inTransaction });
  return end === undefined ? performed : { ...performed, end };
}

function actOf<Person>(
  deps: Deps,
  { person, params, request, now }: PageRequest<Person>,
  form: URLSearchParams,
  tx: Db,
): { act: ActionContext<Person>; wishes: AfterEffects } {
  const wishes: AfterEffects = {
    about: undefined,
    actor: undefined,
    unchanged: false,
    outdatesKeys: false,
    cookies: [],
    after: undefined,
  };
  const { newId, log } = deps;
  const act: ActionContext<Person> = {
    deps,
    db: tx,
    now,
    newId,
    log,
    person,
    params,
    form,
    request,
    audit: (...about) => (wishes.about = about),
    unchanged: () => (wishes.unchanged = true),
    identify: (actor) => (wishes.actor = actor),
    outdatesKeys: () => (wishes.outdatesKeys = true),
    setCookie: (cookie) => wishes.cookies.push(cookie),
    afterCommit: (work) => (wishes.after = work),
  };
  return { act, wishes };
}

function finish<Person>(
  visit: PageRequest<Person>,
  { end, wishes }: Performed,
  again: (told: PageState) => Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const { reply } = visit;
  for (const cookie of wishes.cookies) reply.header('set-cookie', cookie);
  if ('to' in end) return reply.redirect(end.to, 303);
  return 'show' in end ? end.show(visit) : again(end.again);
}
