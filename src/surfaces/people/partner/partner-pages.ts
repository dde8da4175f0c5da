import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { showKeyPage, stopOldKey } from './key-page.ts';
import type { Around } from './partner-frame.ts';
import { requestLink, showLink, showSignIn, useLink } from './sign-in-page.ts';
import { changePayPerCall, showUsage, signOut } from './usage-page.ts';

/** What a partner does as a person: see its usage, switch pay-per-call, and stop a key that was replaced by mail. */
export function addPartnerPages(app: FastifyInstance, deps: Deps): void {
  const plain =
    (handle: (around: Around) => Promise<FastifyReply>) => (request: FastifyRequest, reply: FastifyReply) =>
      handle({ deps, request, reply });
  const withToken =
    (handle: (around: Around, token: string) => Promise<FastifyReply>) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      handle({ deps, request, reply }, (request.params as { token: string }).token);
  addFormPages(app, (scope) => {
    scope.get('/partner', plain(showUsage));
    scope.post('/partner/pay-per-call', plain(changePayPerCall));
    scope.post('/partner/sign-out', plain(signOut));
    scope.get(
      '/partner/sign-in',
      plain((around) => showSignIn(around)),
    );
    scope.post('/partner/sign-in', plain(requestLink));
    scope.get('/partner/sign-in/:token', withToken(showLink));
    scope.post('/partner/sign-in/:token', withToken(useLink));
    scope.get('/partner/key/:token', withToken(showKeyPage));
    scope.post('/partner/key/:token', withToken(stopOldKey));
  });
}
