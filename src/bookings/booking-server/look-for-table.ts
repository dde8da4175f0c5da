import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { BookingServerError } from './booking-server.ts';
import { openConnector } from './venue-connector.ts';

/** Returns whether the table is free in the venue's own system now; null without an answer in time. */
export async function lookForTable(
  deps: Deps,
  db: Db,
  { placeId, tableAt, partySize }: { placeId: string; tableAt: Date; partySize: number },
): Promise<boolean | null> {
  const connector = await openConnector(deps, placeId, db);
  if (connector === undefined) return null;
  const { server, durationSec } = connector;
  try {
    const slot = { startSec: Math.floor(tableAt.getTime() / 1000), durationSec, partySize };
    return (await server.findAvailable([slot])).length > 0;
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    deps.log.info({ err: thrown, place: placeId }, thrown.message);
    return null;
  }
}
