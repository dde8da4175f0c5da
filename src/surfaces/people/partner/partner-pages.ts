import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame, signedOutFrame } from '../frame/frame.ts';
import { addAction, addPage, addPages } from '../person/person-route.ts';
import { partnerBookingPage, partnerBookingsPage } from './bookings-page.ts';
import { keysPage } from './keys-page.ts';
import { partnerKeyPage, partnerLinkPage, partnerSignInPage } from './sign-in-page.ts';
import { partnerSignUpPage } from './sign-up-page.ts';
import { partnerSignOut, usagePage } from './usage-page.ts';
import { deliveryPage, webhookPage } from './webhook-page.ts';

/** Adds the pages for partners: sign-up, usage, keys, webhook, bookings, and revoking a key replaced by mail. */
export function addPartnerPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    const frame = areaFrame('partner');
    addPage(scope, deps, usagePage, frame);
    addPages(scope, deps, frame, [keysPage]);
    addPages(scope, deps, frame, [webhookPage]);
    addPages(scope, deps, frame, [deliveryPage]);
    addPages(scope, deps, frame, [partnerBookingsPage]);
    addPages(scope, deps, frame, [partnerBookingPage]);
    const outside = [partnerSignUpPage, partnerSignInPage, partnerLinkPage, partnerKeyPage];
    addPages(scope, deps, signedOutFrame('partner'), outside);
    addAction(scope, deps, partnerSignOut);
  });
}
