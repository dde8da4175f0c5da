import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  staffSession,
  type StaffMember,
  type StaffSession,
} from '../../../accounts/sign-in/staff-session.ts';
import type { StaffRole } from '../../../accounts/staff/staff.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Staff } from '../person/people.ts';
import type { PageRequest as PersonRequest } from '../person/page-request.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm, readQuery } from '../form/form-body.ts';

/** One request of a person in the console, with all that a page needs to know about it. */
export interface PageRequest extends PersonRequest<Staff> {
  session: StaffSession;
  staff: StaffMember;
  form: URLSearchParams;
}

interface ConsoleRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Who may come here. `unfinished`: also somebody who has yet to set up the second factor or change the password. */
  roles: readonly StaffRole[] | 'unfinished';
  handle(visit: PageRequest): Promise<FastifyReply>;
}

export const EVERYONE: readonly StaffRole[] = ['reviewer', 'desk', 'lead'];
export const REVIEWERS: readonly StaffRole[] = ['reviewer', 'lead'];
export const DESK: readonly StaffRole[] = ['desk', 'lead'];
export const LEADS: readonly StaffRole[] = ['lead'];

/** Mounts a page or a form of the console: session, role and the form's token are checked here, for all of them. */
export function consoleRoute(scope: FastifyInstance, deps: Deps, route: ConsoleRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const session = await staffSession(deps, request);
      const elsewhere = stepBefore(session, route.roles);
      if (elsewhere !== undefined) return sendElsewhere(request, reply, elsewhere);
      if (session === undefined) throw signInRequired();
      requireRole(session.staff, route.roles);
      if (route.method === 'POST') checkCsrf(deps, request);
      return route.handle({
        deps,
        request,
        reply,
        person: { ...session.staff, session },
        params: request.params as Record<string, string>,
        session,
        staff: session.staff,
        form: readForm(request),
        query: readQuery(request),
        now: deps.clock.now(),
      });
    },
  });
}

/** Where somebody has to go before this page opens for them. */
function stepBefore(session: StaffSession | undefined, roles: ConsoleRoute['roles']): string | undefined {
  if (session === undefined) return '/console/sign-in';
  if (session.pending === undefined || roles === 'unfinished') return undefined;
  return session.pending === 'password' ? '/console/password' : '/console/enrol';
}

/** A page leads on to the sign-in and comes back; a form or a program that nobody signed is refused. */
function sendElsewhere(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const forPerson = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  if (!forPerson) throw signInRequired();
  const next = path === '/console/sign-in' && request.url !== '/console' ? request.url : undefined;
  return reply.redirect(next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`, 303);
}

function signInRequired(): AppError {
  return new AppError('sign_in_required', 'Only staff who are signed in may do this. Nothing was changed.', {
    hint: 'Sign in at /console/sign-in and try again.',
  });
}

function requireRole({ role }: StaffMember, roles: ConsoleRoute['roles']): void {
  if (roles === 'unfinished' || roles.includes(role)) return;
  throw new AppError('role_required', `This needs the role ${roles.join(' or ')}; yours is ${role}.`, {
    hint: 'Ask a lead to do it, or to change your role.',
  });
}

/** A path of the console that a person may be sent on to; anything else becomes the console itself. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/console(?:[/?][\w\-./?=&%+]*)?$/.test(next) ? next : '/console';
}
