import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addPage, addPages } from '../person/person-route.ts';
import { agentPage, agentsPage } from './agents-page.ts';
import { auditPage } from './audit-page.ts';
import { bookingPage } from './bookings/booking-page.ts';
import { bookingsPage } from './bookings/bookings-page.ts';
import { consoleFrame } from './console-page.ts';
import { deskPage } from './desk/desk-page.ts';
import { tablesPage } from './desk/tables-page.ts';
import { destinationRecordPage, destinationsPage } from './destinations-page.ts';
import { killSwitchPage } from './kill-switch-page.ts';
import { licenceRecordPage, licencesPage } from './licences-page.ts';
import { outboxPage } from './outbox-page.ts';
import { overviewPage } from './overview-page.ts';
import { partnerPage, partnersPage } from './partners-page.ts';
import { fullPhoto, largePreview, photoPage, smallPreview } from './photos/photo-page.ts';
import { payoutsFile, photosPage } from './photos/photos-page.ts';
import { placeRecordPage } from './places/place-page.ts';
import { placesPage } from './places/places-page.ts';
import { queuePage } from './review/queue-page.ts';
import { submissionPage } from './review/submission-page.ts';
import { setUpPage } from './set-up/set-up-page.ts';
import { accountPage } from './sign-in/account-page.ts';
import { enrolPage } from './sign-in/enrol-page.ts';
import { passwordPage } from './sign-in/password-page.ts';
import { signInFrame, signInPage } from './sign-in/sign-in-page.ts';
import { staffPage } from './staff-page.ts';

/** All pages of the console. Those with a `nav` entry are in its navigation, in this order. */
const PAGES = [
  overviewPage,
  setUpPage,
  queuePage,
  submissionPage,
  photosPage,
  payoutsFile,
  photoPage,
  smallPreview,
  largePreview,
  fullPhoto,
  deskPage,
  tablesPage,
  bookingsPage,
  bookingPage,
  placesPage,
  placeRecordPage,
  destinationsPage,
  destinationRecordPage,
  agentsPage,
  agentPage,
  partnersPage,
  partnerPage,
  licencesPage,
  licenceRecordPage,
  outboxPage,
  auditPage,
  staffPage,
  killSwitchPage,
  accountPage,
];

/** Adds the console, where staff run the directory. */
export function addConsole(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addPage(scope, deps, signInPage, signInFrame);
    addPages(scope, deps, signInFrame, [passwordPage, enrolPage]);
    addPages(scope, deps, consoleFrame(PAGES), PAGES);
  });
}
