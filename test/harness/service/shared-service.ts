import { randomInt } from 'node:crypto';
import { keep } from '../runner/kept.ts';
import { openTestService, TestClock, type TestService } from './service.ts';

/** The sizes of the demonstration that tests use. */
export type DemoSize = 300 | 3000 | 20_000;

/** Many files ask the shared service from one address, so that no limit by address or by venue is felt. */
const ROOMY = {
  TRUSTED_PROXIES: '127.0.0.1',
  // Each slot polls the queue every two seconds for as long as the process lives.
  JOBS_AT_ONCE: '1',
  SIGNUPS_PER_HOUR: '100000',
  REGISTRATIONS_PER_HOUR: '100000',
  PARTNER_SIGNUPS_PER_HOUR: '100000',
  BOOKING_READS_PER_MINUTE: '100000',
  WEBHOOK_CHANGES_PER_HOUR: '100000',
};

/**
 * A service that the files of a test process share, with what the files before have left in it. For files that bring
 * accounts and venues of their own, and that neither move the clock, nor change settings, nor count all rows of a table.
 */
export async function sharedService(options: { demoPlaces?: DemoSize } = {}): Promise<TestService> {
  const { demoPlaces } = options;
  const shared = await keep(
    `service ${demoPlaces ?? 0}`,
    () => openTestService({ settings: ROOMY, ...(demoPlaces && { demoPlaces }) }),
    (service) => service.close(),
  );
  const loggedBefore = shared.logged.length;
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  return {
    url: shared.url,
    app: shared.app,
    database: shared.database,
    clock: new StandingClock(),
    get logged() {
      return shared.logged.slice(loggedBefore);
    },
    request: (path, init = {}) =>
      shared.request(path, {
        ...init,
        headers: { 'x-forwarded-for': address, ...(init.headers as Record<string, string>) },
      }),
    close: refuse,
  };
}

/** Shows the time at which the shared service stands still. */
class StandingClock extends TestClock {
  override advance(): never {
    return refuse();
  }
}

function refuse(): never {
  throw new Error(
    'Other files share this service: start one with startTestService to move its clock or to close it.',
  );
}
