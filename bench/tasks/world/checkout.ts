import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as app from '../../../src/app.ts';
import type * as config from '../../../src/config.ts';
import type * as database from '../../../src/node/database.ts';
import type * as demo from '../../../src/demo/load-demo.ts';
import type * as photos from '../../../src/demo/photos/demo-photos.ts';
import type * as log from '../../../src/core/log.ts';
import type * as postgres from '../../../src/core/postgres/db.ts';
import type * as keys from '../../../src/accounts/keys/key-owner.ts';
import type * as partners from '../../../src/accounts/partners/partner.ts';
import type * as staff from '../../../src/accounts/staff/staff.ts';
import type * as answers from '../../../src/bookings/answering/venue-answer.ts';
import type * as links from '../../../src/members/member-link.ts';
import type * as review from '../../../src/submissions/review/decide.ts';
import type * as topUps from '../../../src/wallet/top-up.ts';

/** The modules of a checkout by which it is started and by which people's parts are played. */
export interface Checkout {
  app: typeof app;
  config: typeof config;
  database: typeof database;
  demo: typeof demo;
  photos: typeof photos;
  log: typeof log;
  postgres: typeof postgres;
  keys: typeof keys;
  partners: typeof partners;
  staff: typeof staff;
  answers: typeof answers;
  links: typeof links;
  review: typeof review;
  topUps: typeof topUps;
}

/** Loads the service from a folder, which may hold an older commit than this one. */
export async function loadCheckout(folder: string): Promise<Checkout> {
  const load = async <Module>(path: string) =>
    (await import(pathToFileURL(join(folder, 'src', path)).href)) as Module;
  return {
    app: await load('app.ts'),
    config: await load('config.ts'),
    database: await load('node/database.ts'),
    demo: await load('demo/load-demo.ts'),
    photos: await load('demo/photos/demo-photos.ts'),
    log: await load('core/log.ts'),
    postgres: await load('core/postgres/db.ts'),
    keys: await load('accounts/keys/key-owner.ts'),
    partners: await load('accounts/partners/partner.ts'),
    staff: await load('accounts/staff/staff.ts'),
    answers: await load('bookings/answering/venue-answer.ts'),
    links: await load('members/member-link.ts'),
    review: await load('submissions/review/decide.ts'),
    topUps: await load('wallet/top-up.ts'),
  };
}
