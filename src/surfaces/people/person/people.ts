import type { FastifyReply, FastifyRequest } from 'fastify';
import { findPartner, type ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import { sessionHolder, type SessionName } from '../../../accounts/sign-in/session.ts';
import { staffSession, type StaffSession } from '../../../accounts/sign-in/staff-session.ts';
import type { StaffRole } from '../../../accounts/staff/staff.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { findPlace, type Place } from '../../../directory/place/place.ts';
import { findMember, type Member } from '../../../members/member.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { sendSignedOutPage } from '../venue/signed-out-page.ts';
import type { Audience } from './audience.ts';

export const EVERYONE: readonly StaffRole[] = ['reviewer', 'desk', 'lead'];
export const REVIEWERS: readonly StaffRole[] = ['reviewer', 'lead'];
export const DESK: readonly StaffRole[] = ['desk', 'lead'];
export const LEADS: readonly StaffRole[] = ['lead'];

/** Staff who are signed in, with their session: it may lack the second factor. */
export type Staff = StaffSession['staff'] & { session: StaffSession };

/** Staff of these roles, in a session that is complete. */
export function staff(roles: readonly StaffRole[]): Audience<Staff> {
  return {
    ...unfinishedStaff,
    admit(person) {
      const { pending } = person.session;
      if (pending !== undefined) return pending === 'password' ? '/console/password' : '/console/enrol';
      if (roles.includes(person.role)) return undefined;
      throw new AppError(
        'role_required',
        `This needs the role ${roles.join(' or ')}; yours is ${person.role}.`,
        { hint: 'Ask a lead to do it, or to change your role.' },
      );
    },
  };
}

const NEXT_MAX = 2_000;

/** The sign-in, after which a person goes on to where they were. An address that is too long for a header goes without its query. */
function signInAt(signIn: string, url: string): string {
  const next = url.length <= NEXT_MAX ? url : (url.split('?', 1)[0] ?? '');
  return next.length <= NEXT_MAX ? `${signIn}?next=${encodeURIComponent(next)}` : signIn;
}

/** Also staff who have yet to set up the second factor or change the password. */
export const unfinishedStaff: Audience<Staff> = {
  async find(deps, request) {
    const session = await staffSession(deps, request);
    return session && { ...session.staff, session };
  },
  actor: ({ id }) => id,
  turnAway: (_deps, request, reply) =>
    reply.redirect(
      request.url === '/console' ? '/console/sign-in' : signInAt('/console/sign-in', request.url),
      303,
    ),
  refusal: () =>
    new AppError('sign_in_required', 'Only staff who are signed in may do this. Nothing was changed.', {
      hint: 'Sign in at /console/sign-in and try again.',
    }),
};

/** A venue that looks after its own listing. */
export interface Venue {
  place: Place;
  destination: Destination;
}

export const venue: Audience<Venue> = {
  async find(deps, request) {
    const placeId = await holderOf(deps, 'venue', request);
    const place = placeId === undefined ? undefined : await findPlace(deps.pool, placeId);
    const destination = deps.destinations.current.destinations.find(({ id }) => id === place?.destination_id);
    const gone = place === undefined || place.removed_at !== null;
    return gone || destination === undefined ? undefined : { place, destination };
  },
  actor: ({ place }) => `venue:${place.id}`,
  turnAway: (deps, _request, reply) => sendSignedOutPage(deps, reply),
  refusal: () =>
    new AppError('sign_in_required', 'You are not signed in as a venue. Nothing was changed.', {
      hint: 'Open the page of your place and choose to look after the listing, then try again.',
    }),
};

/** A member who is signed in. Whoever has no name yet is sent to the sign-in like everybody else. */
export const member: Audience<Member> = {
  async find(deps, request) {
    const id = await holderOf(deps, 'member', request);
    return id === undefined ? undefined : findMember(deps.pool, id);
  },
  actor: ({ id }) => id,
  turnAway: (_deps, request, reply) => reply.redirect(signInAt('/member/sign-in', request.url), 303),
  refusal: () =>
    new AppError('sign_in_required', 'You are no longer signed in. Nothing was changed.', {
      hint: 'Sign in at /member/sign-in and try again.',
    }),
};

/** Somebody who answers for a partner. Without a session a form, too, leads on to the sign-in. */
export const partner: Audience<ListedPartner> = {
  async find(deps, request) {
    const id = await holderOf(deps, 'partner', request);
    return id === undefined ? undefined : findPartner(deps.pool, id);
  },
  actor: ({ id }) => id,
  turnAway: (_deps, _request, reply): FastifyReply => reply.redirect('/partner/sign-in', 303),
};

/** Somebody who has proven a mailbox, to decide about the clients that act in its name. */
export interface Operator {
  email: string;
  address: AddressGroup;
}

export const operator: Audience<Operator> = {
  async find(deps, request) {
    const email = await holderOf(deps, 'operator', request);
    return email === undefined ? undefined : { email, address: callerGroup(request) };
  },
  // No log names a mailbox.
  actor: ({ address }) => `address:${address}`,
  turnAway: (_deps, _request, reply): FastifyReply => reply.redirect(CONNECTIONS_PATH, 303),
};

/** Whom a session of this kind names; undefined without one. */
export function holderOf(
  deps: Deps,
  name: SessionName,
  request: FastifyRequest,
): Promise<string | undefined> {
  return sessionHolder({ deps, db: deps.pool, now: deps.clock.now() }, name, request);
}
