import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendSignInCode } from '../../../accounts/sign-in/sign-in-code.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { findArrivingMember, setDisplayName, type ArrivingMember } from '../../../members/member.ts';
import { memberOfMailbox } from '../../../members/member-sign-in.ts';
import { assetUrl } from '../assets.ts';
import { actionForm } from '../form/action-form.ts';
import { icon } from '../frame/icon.ts';
import { defineAction } from '../person/action.ts';
import { anybody, type Audience } from '../person/audience.ts';
import { mailSignIn, type MailSignIn } from '../person/mail-sign-in.ts';
import { definePage } from '../person/page.ts';
import { holderOf } from '../person/people.ts';
import { displayNameInput } from './account-page.ts';

const PATH = '/member/sign-in';
/** The page serves visitors and people who have just proven their email address. */
const EVERYBODY: Audience<unknown> = anybody;

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

const signIn = mailSignIn(MEMBER_SIGN_IN, {
  path: PATH,
  who: EVERYBODY,
  purpose: () => 'as a member',
  carried,
});

/** A visitor with a verified email address, with or without a display name. */
const arrivingMember: Audience<ArrivingMember> = {
  find: findArriving,
  actor: ({ id }) => id,
  turnAway: (_deps, _request, reply): FastifyReply => reply.redirect(PATH, 303),
};

const chooseName = defineAction({
  name: 'choose_member_name',
  path: `${PATH}/name`,
  who: arrivingMember,
  fields: { display_name: displayNameInput({ autofocus: true }) },
  button: 'Join',
  plain: false,
  async run(act, { display_name }) {
    await setDisplayName(act.db, act.person.id, display_name);
    act.audit(act.person.id);
    return { to: nextOf(act.request) ?? '/member' };
  },
});

/** Members join and sign in here: the email address, the code, and the first time a name. */
export const memberSignInPage = definePage({
  path: PATH,
  who: EVERYBODY,
  load: async (req) => ({
    member: await findArriving(req.deps, req.request),
    attempt: await signIn.findAttempt(req),
  }),
  view(req, { member, attempt }, state) {
    if (member === undefined)
      return {
        title: 'Sign in',
        lead:
          nextOf(req.request)?.startsWith('/p/') === true
            ? 'One step before the venue is asked. Then you come back to the table that you chose.'
            : 'For members: see the tables requested in your name, and decide who may request them.',
        body: html`<div class="columns">
          <div>${signIn.form(req, attempt, state)}</div>
          ${memberships()}
        </div>`,
      };
    if (member.displayName !== null) return { to: nextOf(req.request) ?? '/member' };
    const look = { query: carried(req.request), className: 'card flow' };
    return {
      title: 'What is your name?',
      lead: 'One more step: your name. It is all that venues learn about you.',
      body: html`${actionForm({ ...req, person: member }, chooseName, state, look)}`,
    };
  },
  actions: [...signIn.actions, chooseName],
});

/** Renders a picture and the reasons to become a member. */
function memberships(): Html {
  return html`<aside class="reasons flow" aria-labelledby="reasons">
    <img src="${assetUrl('drawing-restaurant-terrace.svg')}" alt="" width="320" height="200" />
    <h2 id="reasons">With an account</h2>
    <ul>
      <li>${icon('utensils')} Ask for a table on a place’s page, and watch the answer arrive.</li>
      <li>${icon('calendar-days')} Change or cancel your tables, and see the way to each on a map.</li>
      <li>${icon('users')} Decide which assistants and partners may ask in your name.</li>
      <li>${icon('badge-check')} Venues learn your name and nothing else about you.</li>
    </ul>
  </aside>`;
}

async function findArriving(deps: Deps, request: FastifyRequest): Promise<ArrivingMember | undefined> {
  const id = await holderOf(deps, 'member', request);
  return id === undefined ? undefined : findArrivingMember(deps.pool, id);
}

function carried(request: FastifyRequest): Readonly<Record<string, string>> {
  const next = nextOf(request);
  return next === undefined ? {} : { next };
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
