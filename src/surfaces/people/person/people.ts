import type { FastifyReply, FastifyRequest } from 'fastify';
import { findPartner, type ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import { sessionHolder, type SessionName } from '../../../accounts/sign-in/session.ts';
import { staffSession, type StaffSession } from '../../../accounts/sign-in/staff-session.ts';
import { STAFF_ROLES, type StaffRole } from '../../../accounts/staff/staff.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { findPlace, type Place } from '../../../directory/place/place.ts';
import { findMember, type Member } from '../../../members/member.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { sendSignedOutPage } from '../venue/signed-out-page.ts';
import type { Audience } from './audience.ts';

/** Signed-in staff with their session, which may lack the second factor. */
export type Staff = StaffSession['staff'] & { session: StaffSession };

const NEXT_MAX = 2_000;

/** Returns the sign-in URL that leads back to `url`. A URL too long for a header loses its query. */
function signInAt(signIn: string, url: string): string {
  const next = url.length <= NEXT_MAX ? url : (url.split('?', 1)[0] ?? '');
  return next.length <= NEXT_MAX ? `${signIn}?next=${encodeURIComponent(next)}` : signIn;
}

function signInRequired(message: string, hint: string): () => AppError {
  return () => new AppError('sign_in_required', message, { hint });
}

/** Includes staff who have yet to set up the second factor or change the password. */
export const anyStaff: Audience<Staff> = {
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
  refusal: signInRequired(
    'Only staff who are signed in may do this. Nothing was changed.',
    'Sign in at /console/sign-in and try again.',
  ),
};

/** Staff with one of some roles, in a complete session. */
interface RoleAudience extends Audience<Staff> {
  allows(person: Staff): boolean;
}

function staff(...roles: readonly StaffRole[]): RoleAudience {
  return {
    ...anyStaff,
    allows: ({ role }) => roles.includes(role),
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

export const allStaff = staff(...STAFF_ROLES);
export const reviewers = staff('reviewer', 'lead');
export const deskStaff = staff('desk', 'lead');
export const leads = staff('lead');

/** A venue that manages its own listing. */
export interface Venue {
  place: Place;
  destination: Destination;
}

export const venue: Audience<Venue> = {
  async find(deps, request) {
    const placeId = await holderOf(deps, 'venue', request);
    const place = placeId === undefined ? undefined : await findPlace(deps.pool, placeId);
    const destination = deps.destinations.current.destinations.find(({ id }) => id === place?.destination_id);
    const removed = place === undefined || place.removed_at !== null;
    return removed || destination === undefined ? undefined : { place, destination };
  },
  actor: ({ place }) => `venue:${place.id}`,
  turnAway: sendSignedOutPage,
  refusal: signInRequired(
    'You are not signed in as a venue. Nothing was changed.',
    'Open the page of your place and choose to look after the listing, then try again.',
  ),
};

/** A signed-in member. Members without a name yet are sent to the sign-in like everybody else. */
export const member: Audience<Member> = {
  ...accountHolder('member', findMember),
  turnAway: (_deps, request, reply) => reply.redirect(signInAt('/member/sign-in', request.url), 303),
  refusal: signInRequired(
    'You are no longer signed in. Nothing was changed.',
    'Sign in at /member/sign-in and try again.',
  ),
};

/** A signed-in representative of a partner. Without a session, a form also redirects to the sign-in. */
export const partner: Audience<ListedPartner> = {
  ...accountHolder('partner', findPartner),
  turnAway: (_deps, _request, reply): FastifyReply => reply.redirect('/partner/sign-in', 303),
};

/** A person who has proven an email address and decides about the clients that act in its name. */
export interface Operator {
  email: string;
  address: AddressGroup;
}

export const operator: Audience<Operator> = {
  async find(deps, request) {
    const email = await holderOf(deps, 'operator', request);
    return email === undefined ? undefined : { email, address: callerGroup(request) };
  },
  // Logs never contain email addresses.
  actor: ({ address }) => `address:${address}`,
  turnAway: (_deps, _request, reply): FastifyReply => reply.redirect(CONNECTIONS_PATH, 303),
};

/** The holder of an account, by the session of this kind. */
function accountHolder<Account extends { id: string }>(
  name: SessionName,
  findAccount: (db: Db, id: string) => Promise<Account | undefined>,
): Pick<Audience<Account>, 'find' | 'actor'> {
  return {
    async find(deps, request) {
      const id = await holderOf(deps, name, request);
      return id === undefined ? undefined : findAccount(deps.pool, id);
    },
    actor: ({ id }) => id,
  };
}

/** Returns the holder of a session of this kind; undefined without one. */
export function holderOf(
  deps: Deps,
  name: SessionName,
  request: FastifyRequest,
): Promise<string | undefined> {
  return sessionHolder({ deps, db: deps.pool, now: deps.clock.now() }, name, request);
}
