import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame } from '../frame/frame.ts';
import { addAction, addPage, addPages } from '../person/person-route.ts';
import { partnerKeyPage, partnerLinkPage, partnerSignInPage } from './sign-in-page.ts';
import { partnerSignOut, usagePage } from './usage-page.ts';

/** Adds the pages for partners: usage, pay-per-call, and revoking a key that was replaced by mail. */
export function addPartnerPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    const frame = areaFrame('partner');
    addPage(scope, deps, usagePage, frame);
    addPages(scope, deps, frame, [partnerSignInPage, partnerLinkPage, partnerKeyPage]);
    addAction(scope, deps, partnerSignOut);
  });
}
