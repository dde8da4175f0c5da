import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendSignInCode } from '../../../accounts/sign-in/sign-in-code.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { findArrivingMember, type ArrivingMember } from '../../../members/member.ts';
import { memberOfMailbox } from '../../../members/member-sign-in.ts';
import { signInUrl, type SignInPath } from '../form/sign-in-step.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { refuse, type Action } from '../person/action.ts';
import { anybody, type Audience } from '../person/audience.ts';
import { addMailSignIn, type MailSignIn } from '../person/mail-sign-in.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { holderOf } from '../person/people.ts';
import { addAction } from '../person/person-route.ts';
import { addSignOut } from '../person/sign-out.ts';
import { nameField, saveName } from './display-name.ts';

const PATH = '/member/sign-in';

const MEMBER_SIGN_IN: MailSignIn = {
  kind: 'member',
  hint: 'We send a six-digit code to this address. If you are new, it creates your account; there is no password.',
  send: (tx, ctx, signIn) => sendSignInCode(tx, ctx, 'member', signIn),
  async holderOf(act, email) {
    const { memberId, joined } = await memberOfMailbox(act.db, act, email);
    act.identify(memberId);
    act.audit(memberId, { joined });
    return memberId;
  },
};

/** A visitor with a verified email address, with or without a display name. */
const arrivingMember: Audience<ArrivingMember> = {
  find: findArriving,
  actor: ({ id }) => id,
  turnAway: (_deps, _request, reply): FastifyReply => reply.redirect(PATH, 303),
};

/** Adds the pages on which members join and sign in: the email address, the code, and the first time a name. */
export function addMemberSignIn(scope: FastifyInstance, deps: Deps): void {
  addMailSignIn(scope, deps, MEMBER_SIGN_IN, {
    path: PATH,
    who: anybody,
    at: addressIn,
    purpose: () => 'as a member',
    show,
  });
  addAction(scope, deps, chooseName);
  addSignOut(scope, deps, { session: 'member', path: '/member/sign-out', who: anybody, to: () => PATH });
}

const chooseName: Action<ArrivingMember> = {
  name: 'choose_member_name',
  path: `${PATH}/name`,
  who: arrivingMember,
  async run(act) {
    const saved = await saveName(act.db, act.person.id, act.form);
    if (!saved.ok) refuse({ faults: { display_name: saved.fault } });
    act.audit(act.person.id);
    return { to: nextOf(act.request) ?? '/member' };
  },
  page: sendNamePage,
};

async function show(request: PageRequest, step: Html): Promise<FastifyReply> {
  const member = await findArriving(request.deps, request.request);
  if (member === undefined)
    return sendFrame(request, 'member', {
      title: 'Sign in',
      lead: 'For members: see the tables requested in your name, and decide who may request them.',
      body: step,
    });
  if (member.displayName === null) return sendNamePage(request, {});
  return request.reply.redirect(nextOf(request.request) ?? '/member', 303);
}

function sendNamePage(
  request: PageRequest,
  { form: submitted, faults = {} }: PageState,
): Promise<FastifyReply> {
  return sendFrame(request, 'member', {
    title: 'What is your name?',
    lead: 'One more step: your name. It is all that venues learn about you.',
    body: html`<section class="card flow" aria-label="Your name">
      ${form(
        request,
        signInUrl(addressIn(request.request), '/name'),
        html`${nameField({
            value: submitted?.get('display_name') ?? undefined,
            fault: faults['display_name'],
            autofocus: true,
          })}
          <p><button class="button" type="submit">Join</button></p>`,
      )}
    </section>`,
  });
}

async function findArriving(deps: Deps, request: FastifyRequest): Promise<ArrivingMember | undefined> {
  const id = await holderOf(deps, 'member', request);
  return id === undefined ? undefined : findArrivingMember(deps.pool, id);
}

function addressIn(request: FastifyRequest): SignInPath {
  const next = nextOf(request);
  return { path: PATH, carried: next === undefined ? {} : { next } };
}

/**
 * Returns the path to open after sign-in. Only a path of this service is accepted, nothing that a browser could read as
 * another host.
 */
function nextOf(request: FastifyRequest): string | undefined {
  const { next } = request.query as { next?: unknown };
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)
    ? next
    : undefined;
}
