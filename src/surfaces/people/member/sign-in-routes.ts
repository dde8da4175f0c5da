import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html } from '../../../core/text/html.ts';
import { enterMemberCode, openMemberSignIn, sendMemberCode } from '../../../members/member-sign-in.ts';
import { arrivingMember, closeMemberSession } from '../../../members/member-session.ts';
import { form, type Around } from '../frame/around.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm } from '../form/form-body.ts';
import {
  readState,
  signInStep,
  takeCode,
  takeEmail,
  type MailSignIn,
  type SignInState,
} from '../form/sign-in-step.ts';
import { saveName, nameField } from './display-name.ts';
import { sendMemberPage, SIGN_IN_PATH } from './member-frame.ts';

const MEMBER_SIGN_IN: MailSignIn = {
  hint: 'A code of six digits goes there. If you are new, you join with it; there is no password.',
  send: sendMemberCode,
  open: openMemberSignIn,
  enter: enterMemberCode,
};

/** The pages on which people join and sign in: the mailbox, the code, and the first time the name. */
export function addSignInRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.get(SIGN_IN_PATH, async (request, reply) => {
    const around = { deps, request, reply };
    return show(around, await readState(around, MEMBER_SIGN_IN));
  });
  scope.post(`${SIGN_IN_PATH}/email`, (request, reply) => {
    const around = { deps, request, reply };
    const at = { ...signInPage(request), purpose: 'as a member' };
    return takeEmail(around, MEMBER_SIGN_IN, at, (state, status) => show(around, state, status));
  });
  scope.post(`${SIGN_IN_PATH}/code`, (request, reply) => {
    const around = { deps, request, reply };
    return takeCode(around, MEMBER_SIGN_IN, signInPage(request), (state, status) =>
      show(around, state, status),
    );
  });
  scope.post(`${SIGN_IN_PATH}/name`, (request, reply) => takeName({ deps, request, reply }));
  scope.post('/member/sign-out', async (request, reply) => {
    checkCsrf(deps, request);
    return reply.header('set-cookie', await closeMemberSession(deps, request)).redirect(SIGN_IN_PATH, 303);
  });
}

async function show(around: Around, state: SignInState, status = 200): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  const member = await arrivingMember(deps, request);
  if (member === undefined)
    return sendMemberPage(around, {
      title: 'Sign in',
      lead: 'For members: see the tables that were asked for in your name, and say who may ask.',
      status,
      body: signInStep(around, MEMBER_SIGN_IN, signInPage(request), state),
    });
  if (member.displayName === null) return askName(around, {});
  return reply.redirect(nextOf(request) ?? '/member', 303);
}

function askName(
  around: Around,
  { value, fault }: { value?: string; fault?: string },
  status = 200,
): Promise<FastifyReply> {
  const { carried } = signInPage(around.request);
  const query = new URLSearchParams(carried).toString();
  return sendMemberPage(around, {
    title: 'What is your name?',
    lead: 'One thing is left: a name. It is all that a venue learns about you.',
    status,
    body: html`<section class="card flow" aria-label="Your name">
      ${form(
        around,
        `${SIGN_IN_PATH}/name${query === '' ? '' : `?${query}`}`,
        html`${nameField({ value, fault, autofocus: true })}
          <p><button class="button" type="submit">Join</button></p>`,
      )}
    </section>`,
  });
}

async function takeName(around: Around): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  checkCsrf(deps, request);
  const member = await arrivingMember(deps, request);
  if (member === undefined) return reply.redirect(SIGN_IN_PATH, 303);
  const saved = await saveName(deps, member.id, readForm(request));
  return saved.ok ? reply.redirect(nextOf(request) ?? '/member', 303) : askName(around, saved, 422);
}

function signInPage(request: FastifyRequest) {
  const next = nextOf(request);
  return { path: SIGN_IN_PATH, ...(next !== undefined && { carried: { next } }) };
}

/** Where somebody wanted to go: a path of this service and nothing that a browser could take for another host. */
function nextOf(request: FastifyRequest): string | undefined {
  const { next } = request.query as { next?: unknown };
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)
    ? next
    : undefined;
}
