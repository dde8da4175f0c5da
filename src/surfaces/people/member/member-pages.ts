import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addMemberAccount } from './account-page.ts';
import { addAccountDeletion } from './forget-page.ts';
import { addLinks } from './link-page.ts';
import { addMemberSignIn } from './sign-in-page.ts';

/** Adds the pages for members: sign-in, their tables, linked partners, and account deletion. */
export function addMemberPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addMemberSignIn(scope, deps);
    addMemberAccount(scope, deps);
    addLinks(scope, deps);
    addAccountDeletion(scope, deps);
  });
}
