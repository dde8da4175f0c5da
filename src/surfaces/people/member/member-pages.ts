import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addAccount } from './account-page.ts';
import { addForget } from './forget-page.ts';
import { addLinks } from './link-page.ts';
import { addMemberSignIn } from './sign-in-page.ts';

/** Everything for members: joining and signing in, their tables, the partners that may ask, and being forgotten. */
export function addMemberPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addMemberSignIn(scope, deps);
    addAccount(scope, deps);
    addLinks(scope, deps);
    addForget(scope, deps);
  });
}
