import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame, signedOutFrame } from '../frame/frame.ts';
import { addAction, addPages } from '../person/person-route.ts';
import { partnerBookingPage, partnerBookingsPage } from './bookings-page.ts';
import { keysPage } from './keys-page.ts';
import { partnerOverviewPage, partnerSignOut } from './overview-page.ts';
import { planPage } from './plan-page.ts';
import { requestsPage } from './requests-page.ts';
import { partnerKeyPage, partnerLinkPage, partnerSignInPage } from './sign-in-page.ts';
import { partnerSignUpPage } from './sign-up-page.ts';
import { deliveryPage, webhookPage } from './webhook-page.ts';

/** Adds the pages for partners: sign-up, overview, keys, webhook, bookings, requests, plan, and revoking a key replaced by mail. */
export function addPartnerPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    const frame = areaFrame('partner');
    addPages(scope, deps, frame, [partnerOverviewPage]);
    addPages(scope, deps, frame, [requestsPage]);
    addPages(scope, deps, frame, [keysPage]);
    addPages(scope, deps, frame, [webhookPage]);
    addPages(scope, deps, frame, [deliveryPage]);
    addPages(scope, deps, frame, [partnerBookingsPage]);
    addPages(scope, deps, frame, [partnerBookingPage]);
    addPages(scope, deps, frame, [planPage]);
    const outside = [partnerSignUpPage, partnerSignInPage, partnerLinkPage, partnerKeyPage];
    addPages(scope, deps, signedOutFrame('partner'), outside);
    addAction(scope, deps, partnerSignOut);
  });
}
