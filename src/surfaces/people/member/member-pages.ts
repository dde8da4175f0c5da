import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame, signedOutFrame } from '../frame/frame.ts';
import { addAction, addPage, addPages } from '../person/person-route.ts';
import { memberPage, memberSignOut } from './account-page.ts';
import { forgetPage } from './forget-page.ts';
import { linkedPartnersPage } from './link-page.ts';
import { memberSignInPage } from './sign-in-page.ts';
import { tableCalendarPage } from './table-calendar.ts';
import { tablePage } from './table-page.ts';
import { memberTablesPage } from './tables-page.ts';

/** Adds the pages for members: sign-in, their tables, linked partners, and account deletion. */
export function addMemberPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addPage(scope, deps, memberSignInPage, signedOutFrame('member'));
    addPages(scope, deps, areaFrame('member'), [
      memberPage,
      memberTablesPage,
      tablePage,
      tableCalendarPage,
      linkedPartnersPage,
      forgetPage,
    ]);
    addAction(scope, deps, memberSignOut);
  });
}
