import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import type { Page } from '../person/page.ts';
import type { Staff } from '../person/people.ts';
import { addPage, addPages } from '../person/person-route.ts';
import { agentPage, agentsPage } from './agents-page.ts';
import { auditPage } from './audit-page.ts';
import { bookingPage } from './bookings/booking-page.ts';
import { bookingsPage } from './bookings/bookings-page.ts';
import { consoleFrame } from './console-page.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { deskPage } from './desk/desk-page.ts';
import { tablesPage } from './desk/tables-page.ts';
import { destinationRecordPage, destinationsPage } from './destinations-page.ts';
import { healthPage } from './health-page.ts';
import { keptDataPage } from './kept-data-page.ts';
import { killSwitchPage } from './kill-switch-page.ts';
import { licenceRecordPage, licencesPage } from './licences-page.ts';
import { outboxPage } from './outbox-page.ts';
import { overviewPage } from './overview-page.ts';
import { partnerPage, partnersPage } from './partners-page.ts';
import { fullPhoto, largePreview, photoPage, smallPreview } from './photos/photo-page.ts';
import { payoutsFile, photosPage } from './photos/photos-page.ts';
import { placeRecordPage } from './places/place-page.ts';
import { positionsPage } from './places/positions-page.ts';
import { placesPage } from './places/places-page.ts';
import { queuePage } from './review/queue-page.ts';
import { submissionPage } from './review/submission-page.ts';
import { setUpPage } from './set-up/set-up-page.ts';
import { accountPage } from './sign-in/account-page.ts';
import { enrolPage } from './sign-in/enrol-page.ts';
import { passwordPage } from './sign-in/password-page.ts';
import { signInFrame, signInPage } from './sign-in/sign-in-page.ts';
import { staffPage } from './staff-page.ts';

/** The navigation of the console, in this order. */
const NAVIGATION = [
  {
    title: 'To do',
    pages: [
      overviewPage,
      queuePage,
      deskPage,
      photosPage,
      positionsPage,
      bookingsPage,
      deliveriesPage,
      outboxPage,
    ],
  },
  { title: 'Directory', pages: [placesPage, destinationsPage, agentsPage, partnersPage, licencesPage] },
  { title: 'System', pages: [setUpPage, healthPage, staffPage, auditPage, killSwitchPage] },
];

const PAGES = [
  ...NAVIGATION.flatMap(({ pages }): readonly Page<Staff, unknown>[] => pages),
  submissionPage,
  payoutsFile,
  photoPage,
  smallPreview,
  largePreview,
  fullPhoto,
  tablesPage,
  bookingPage,
  placeRecordPage,
  destinationRecordPage,
  agentPage,
  partnerPage,
  licenceRecordPage,
  accountPage,
  keptDataPage,
];

/** Adds the console, where staff run the directory. */
export function addConsole(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addPage(scope, deps, signInPage, signInFrame);
    addPages(scope, deps, signInFrame, [passwordPage, enrolPage]);
    addPages(scope, deps, consoleFrame(NAVIGATION), PAGES);
  });
}
