import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  changePassword,
  confirmSecondFactor,
  renewRecoveryCodes,
  signOut,
  type Origin,
} from '../../../../accounts/staff/staff-enrolment.ts';
import { sessionCookie, staffSession } from '../../../../accounts/sign-in/staff-session.ts';
import { signIn } from '../../../../accounts/staff/staff-sign-in.ts';
import type { Deps } from '../../../../core/context.ts';
import { html } from '../../../../core/text/html.ts';
import { checkCsrf } from '../../form/csrf.ts';
import { readForm, sentForm } from '../../form/form-body.ts';
import { consoleRoute, EVERYONE, safeNext, type PageRequest } from '../console-route.ts';
import { momentOf } from '../moment.ts';
import { sendAccountPage } from './account-page.ts';
import { sendEnrolPage, sendRecoveryCodes } from './enrol-page.ts';
import { sendPasswordPage, type PasswordFault } from './password-page.ts';
import { sendSignInPage } from './sign-in-page.ts';

const WRONG_CODE = 'This code is not right, or it was used before. Wait for the next one and enter that.';

export function addSignIn(scope: FastifyInstance, deps: Deps): void {
  scope.get('/console/sign-in', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const query = new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? '');
    const next = safeNext(query.get('next'));
    if ((await staffSession(deps, request)) !== undefined) return reply.redirect(next, 303);
    const out = query.get('out') !== null;
    const notice = out ? ({ kind: 'good', text: 'You are signed out.' } as const) : undefined;
    return sendSignInPage(deps, request, reply, { email: '', next, notice });
  });
  scope.post('/console/sign-in', (request, reply) => enter(deps, request, reply));
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/sign-out',
    roles: 'unfinished',
    handle: leave,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/enrol',
    roles: 'unfinished',
    handle: (visit) => {
      const elsewhere = otherStep(visit);
      return elsewhere === undefined ? sendEnrolPage(visit) : sendTo(visit, elsewhere);
    },
  });
  consoleRoute(scope, deps, { method: 'POST', path: '/console/enrol', roles: 'unfinished', handle: enrol });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/password',
    roles: 'unfinished',
    handle: (visit) => sendPasswordPage(visit),
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/password',
    roles: 'unfinished',
    handle: replacePassword,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/account',
    roles: EVERYONE,
    handle: (visit) => {
      const changed = visit.query.get('done') === 'password';
      return sendAccountPage(
        visit,
        changed
          ? { notice: { kind: 'good', text: 'The password is changed. Your other sessions ended.' } }
          : {},
      );
    },
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/recovery-codes',
    roles: EVERYONE,
    handle: renewCodes,
  });
}

async function enter(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  checkCsrf(deps, request);
  const form = readForm(request);
  const email = (form.get('email') ?? '').slice(0, 254);
  const next = safeNext(form.get('next'));
  const result = await signIn(deps, {
    email,
    password: (form.get('password') ?? '').slice(0, 1000),
    code: form.get('totp') ?? '',
    ...originOf(request),
  });
  if (result.outcome === 'signed_in') {
    return reply.header('set-cookie', sessionCookie(deps, result.token)).redirect(next, 303);
  }
  if (result.outcome === 'locked') {
    const seconds = Math.ceil((result.until.getTime() - deps.clock.now().getTime()) / 1000);
    reply.code(429).header('retry-after', Math.max(1, seconds));
    const text = html`Too many attempts failed. Signing in is closed until ${momentOf(result.until)}.`;
    return sendSignInPage(deps, request, reply, { email, next, notice: { kind: 'bad', text } });
  }
  reply.code(401);
  const text =
    'The email, the password or the code is not right. A code works once: wait for the next one before you try again.';
  return sendSignInPage(deps, request, reply, { email, next, notice: { kind: 'bad', text } });
}

async function leave(visit: PageRequest): Promise<FastifyReply> {
  const { deps, session, form, reply, request } = visit;
  await signOut(deps, session, form.get('everywhere') === 'yes', originOf(request));
  return reply.header('set-cookie', sessionCookie(deps, undefined)).redirect('/console/sign-in?out', 303);
}

/** The step of somebody whose turn for the second factor it is not: the password comes first, and it is set up once. */
function otherStep({ session }: PageRequest): string | undefined {
  if (session.pending === 'second_factor') return undefined;
  return session.pending === 'password' ? '/console/password' : '/console';
}

async function sendTo({ reply }: PageRequest, path: string): Promise<FastifyReply> {
  return reply.redirect(path, 303);
}

async function enrol(visit: PageRequest): Promise<FastifyReply> {
  const elsewhere = otherStep(visit);
  if (elsewhere !== undefined) return sendTo(visit, elsewhere);
  const { deps, session, form, reply, request } = visit;
  const set = await confirmSecondFactor(deps, session, form.get('totp') ?? '', originOf(request));
  if (set === undefined) return sendEnrolPage({ ...visit, reply: reply.code(422) }, WRONG_CODE);
  reply.header('set-cookie', sessionCookie(deps, set.token));
  return sendRecoveryCodes(visit, set.recoveryCodes, {
    kind: 'good',
    text: 'Your second factor is set up, and you are signed in.',
  });
}

async function replacePassword(visit: PageRequest): Promise<FastifyReply> {
  const { deps, session, reply, request } = visit;
  const form = sentForm(request);
  const next = form.get('next') ?? '';
  const outcome =
    next === (form.get('repeated') ?? '')
      ? await changePassword(deps, session, { current: form.get('current') ?? '', next }, originOf(request))
      : 'not_repeated';
  if (outcome === 'changed') {
    return reply.redirect(
      session.pending === undefined ? '/console/account?done=password' : '/console/enrol',
      303,
    );
  }
  return refusePassword({ ...visit, reply: reply.code(outcome === 'locked' ? 429 : 422) }, outcome);
}

function refusePassword(visit: PageRequest, passwordFault: PasswordFault): Promise<FastifyReply> {
  return visit.session.pending === undefined
    ? sendAccountPage(visit, { passwordFault })
    : sendPasswordPage(visit, passwordFault);
}

async function renewCodes(visit: PageRequest): Promise<FastifyReply> {
  const { deps, session, form, reply, request } = visit;
  const codes = await renewRecoveryCodes(deps, session, form.get('totp') ?? '', originOf(request));
  if (codes === undefined)
    return sendAccountPage({ ...visit, reply: reply.code(422) }, { codeFault: WRONG_CODE });
  return sendRecoveryCodes(visit, codes, { kind: 'good', text: 'The old codes no longer work.' });
}

function originOf(request: FastifyRequest): Origin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
  };
}
