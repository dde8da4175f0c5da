import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addKeyPage } from './key-page.ts';
import { addPartnerSignIn } from './sign-in-page.ts';
import { addUsagePage } from './usage-page.ts';

/** Adds the pages for partners: usage, pay-per-call, and revoking a key that was replaced by mail. */
export function addPartnerPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addUsagePage(scope, deps);
    addPartnerSignIn(scope, deps);
    addKeyPage(scope, deps);
  });
}
