import type { FastifyInstance, FastifyRequest } from 'fastify';
import { closeSession, sessionHolder } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import type { Audience } from './audience.ts';
import { addAction } from './person-route.ts';

interface SignOut<Person> {
  session: 'member' | 'operator' | 'partner';
  path: string;
  who: Audience<Person>;
  /** Redirect target. */
  to: (request: FastifyRequest) => string;
}

/** Mounts the action that ends a session. Visitors without a session are redirected as well. */
export function addSignOut<Person>(
  scope: FastifyInstance,
  deps: Deps,
  { session, path, who, to }: SignOut<Person>,
): void {
  addAction(scope, deps, {
    name: `${session}_sign_out`,
    path,
    who,
    async run(act) {
      const holder = await sessionHolder(act, session, act.request);
      if (holder === undefined) act.unchanged();
      // An operator's session holds an email address, which logs never contain.
      else if (session !== 'operator') {
        act.identify(holder);
        act.audit(holder);
      }
      act.setCookie(await closeSession(act, session, act.request));
      return { to: to(act.request) };
    },
  });
}
