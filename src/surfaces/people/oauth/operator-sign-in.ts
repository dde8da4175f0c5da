import type { FastifyReply } from 'fastify';
import { enterOperatorCode, openAttempt, sendOperatorCode } from '../../../oauth/operator-code.ts';
import { closeOperatorSession } from '../../../oauth/operator-session.ts';
import type { Around } from '../frame/around.ts';
import { checkCsrf } from '../form/csrf.ts';
import type { MailSignIn } from '../form/sign-in-step.ts';

export const OPERATOR_SIGN_IN: MailSignIn = {
  hint: 'A code of six digits goes there. If you have an account with this address, it is used; otherwise a free one is made when you approve your first client.',
  send: sendOperatorCode,
  open: openAttempt,
  enter: enterOperatorCode,
};

export async function signOut({ deps, request, reply }: Around, base: string): Promise<FastifyReply> {
  checkCsrf(deps, request);
  return reply.header('set-cookie', await closeOperatorSession(deps, request)).redirect(base, 303);
}
