import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { sendAccountPage, takeNewName, takeRating } from './account-page.ts';
import { sendForgetPage, takeForget } from './forget-page.ts';
import { sendLinkPage, showLinkCode, takeUnlink } from './link-page.ts';
import { memberRoute, type MemberVisit } from './member-frame.ts';
import { addMemberSignIn } from './sign-in-page.ts';

const ROUTES = [
  ['GET', '/member', (visit: MemberVisit) => sendAccountPage(visit)],
  ['POST', '/member/name', takeNewName],
  ['POST', '/member/rate', takeRating],
  ['GET', '/member/link', (visit: MemberVisit) => sendLinkPage(visit)],
  ['POST', '/member/link/code', showLinkCode],
  ['POST', '/member/link/unlink', takeUnlink],
  ['GET', '/member/forget', (visit: MemberVisit) => sendForgetPage(visit)],
  ['POST', '/member/forget', takeForget],
] as const;

/** Everything for members: joining and signing in, their tables, the partners that may ask, and being forgotten. */
export function addMemberPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addMemberSignIn(scope, deps);
    for (const [method, path, handle] of ROUTES) memberRoute(scope, deps, { method, path, handle });
  });
}
