import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The modules of a checkout by which it is started and by which people's parts are played. */
export interface Checkout {
  app: typeof import('../../../src/app.ts');
  config: typeof import('../../../src/config.ts');
  database: typeof import('../../../src/database.ts');
  demo: typeof import('../../../src/demo/load-demo.ts');
  photos: typeof import('../../../src/demo/photos/demo-photos.ts');
  log: typeof import('../../../src/core/log.ts');
  postgres: typeof import('../../../src/core/postgres/db.ts');
  keys: typeof import('../../../src/accounts/keys/key-owner.ts');
  partners: typeof import('../../../src/accounts/partners/partner.ts');
  staff: typeof import('../../../src/accounts/staff/staff.ts');
  answers: typeof import('../../../src/bookings/answering/venue-answer.ts');
  links: typeof import('../../../src/members/member-link.ts');
  review: typeof import('../../../src/submissions/review/decide.ts');
  topUps: typeof import('../../../src/wallet/top-up.ts');
}

/** Loads the service from a folder, which may hold an older commit than this one. */
export async function loadCheckout(folder: string): Promise<Checkout> {
  const load = async <Module>(path: string) =>
    (await import(pathToFileURL(join(folder, 'src', path)).href)) as Module;
  return {
    app: await load('app.ts'),
    config: await load('config.ts'),
    database: await load('database.ts'),
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
