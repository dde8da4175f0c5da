import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addAgents } from './agents/agent-routes.ts';
import { addAudit } from './audit-page.ts';
import { addBookings } from './bookings/bookings-page.ts';
import { addBookingDesk } from './desk/booking-routes.ts';
import { addDesk } from './desk/desk-page.ts';
import { addUpcomingTables } from './desk/tables-page.ts';
import { addKillSwitch } from './kill-switch-page.ts';
import { addLicences } from './licences/licence-routes.ts';
import { addOutbox } from './outbox-page.ts';
import { addOverview } from './overview/overview-page.ts';
import { addPartners } from './partners/partner-routes.ts';
import { addPhotoChecks } from './photos/photo-routes.ts';
import { addConnector } from './places/connector-routes.ts';
import { addPlaces } from './places/place-routes.ts';
import { addReview } from './review/review-routes.ts';
import { addSetUp } from './set-up/set-up-page.ts';
import { addSignIn } from './sign-in/sign-in-routes.ts';
import { addStaffPages } from './staff-page.ts';

/** Adds the console, where staff run the directory. */
export function addConsole(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addSignIn(scope, deps);
    addOverview(scope, deps);
    addReview(scope, deps);
    addPhotoChecks(scope, deps);
    addDesk(scope, deps);
    addBookingDesk(scope, deps);
    addUpcomingTables(scope, deps);
    addBookings(scope, deps);
    addKillSwitch(scope, deps);
    addPlaces(scope, deps);
    addConnector(scope, deps);
    addAgents(scope, deps);
    addPartners(scope, deps);
    addLicences(scope, deps);
    addOutbox(scope, deps);
    addAudit(scope, deps);
    addStaffPages(scope, deps);
    addSetUp(scope, deps);
  });
}
