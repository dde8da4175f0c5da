import { closeSession, sessionHolder } from '../../../accounts/sign-in/session.ts';
import { defineAction, type Action } from './action.ts';
import type { Audience } from './audience.ts';
import { fillPath } from './page.ts';

interface SignOut<Person> {
  session: 'member' | 'operator' | 'partner';
  path: string;
  who: Audience<Person>;
  button?: string;
  /** Page to go to. */
  to: string;
}

/** Action that ends a session. Visitors without a session are redirected as well. */
export function signOutAction<Person>({
  session,
  path,
  who,
  button = 'Sign out',
  to,
}: SignOut<Person>): Action<Person> {
  return defineAction({
    name: `${session}_sign_out`,
    path,
    who,
    button,
    async run(act) {
      const holder = await sessionHolder(act, session, act.request);
      if (holder === undefined) act.unchanged();
      // An operator's session holds an email address, which logs never contain.
      else if (session !== 'operator') {
        act.identify(holder);
        act.audit(holder);
      }
      act.setCookie(await closeSession(act, session, act.request));
      return { to: fillPath(to, act.params) };
    },
  });
}
