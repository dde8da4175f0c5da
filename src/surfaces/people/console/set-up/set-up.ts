import { join } from 'node:path';
import type { Deps } from '../../../../core/context.ts';
import { commandFor, type PrintedCommand } from '../../../../core/installation/installation.ts';
import { withPlaces } from '../../../../directory/destinations.ts';
import { paymentsOf } from '../../../../wallet/payments.ts';
import { count } from '../../frame/wording.ts';

/** Imports map data, as an operator types it after `npx waypost`. */
export const IMPORT_WORDS = 'import osm extract.osm.pbf --auto-destinations';

/** One thing that an installation needs before strangers come. */
export interface SetUpLine {
  name: string;
  state: 'ready' | 'test' | 'missing';
  /** What holds now. */
  now: string;
  /** What to do, where something is left to do. */
  todo?: string;
  /** The command for it, to be typed in the folder of the service. */
  type?: PrintedCommand;
}

type Known = Pick<Deps, 'config' | 'destinations'>;

/**
 * Lists what is set up here and what is not, each with what to do. Settings are named without their values; only a command
 * says which installation it is for.
 */
export function setUpOf(deps: Known): SetUpLine[] {
  return [dataLine(deps), mailLine(deps), textLine(deps), paymentLine(deps), storageLine(deps)];
}

function dataLine({ config, destinations }: Known): SetUpLine {
  const { destinations: all, demo } = destinations.current;
  const places = all.reduce((sum, one) => sum + one.places, 0);
  const name = 'Places';
  if (places === 0)
    return {
      name,
      state: 'missing',
      now: 'No places yet: searches find nothing.',
      todo: 'Import a map extract: a file, a folder or an address. OpenStreetMap extracts by country are at download.geofabrik.de.',
      type: commandFor(config, IMPORT_WORDS),
    };
  const held = `${count(places, 'place')} in ${count(withPlaces(all).length, 'destination')}.`;
  if (demo)
    return {
      name,
      state: 'test',
      now: `${held} The demonstration is loaded: its venues are fictional.`,
      todo: 'Before strangers come, start with DEMO=off on a new data directory and import your own map data. Imported here, it takes the place of the demonstration one destination after the other.',
      type: commandFor(config, IMPORT_WORDS),
    };
  return { name, state: 'ready', now: `${held} The demonstration is not loaded.` };
}

function mailLine({ config: { smtp } }: Known): SetUpLine {
  if (smtp !== undefined) return { name: 'Mail', state: 'ready', now: 'A mail server is set.' };
  return {
    name: 'Mail',
    state: 'missing',
    now: 'No mail leaves. Codes, links and requests to venues wait in the outbox until a lead passes them on.',
    todo: 'Set SMTP_URL and MAIL_FROM, then start the service again.',
  };
}

function textLine({ config: { twilio } }: Known): SetUpLine {
  const name = 'Texts and calls';
  if (twilio !== undefined)
    return { name, state: 'ready', now: 'A provider for text messages and calls is set.' };
  return {
    name,
    state: 'missing',
    now: 'No text message and no call goes out. Texts wait in the outbox, and the desk calls venues.',
    todo: 'Set TWILIO_ACCOUNT, TWILIO_TOKEN and TWILIO_FROM, then start the service again.',
  };
}

function paymentLine(deps: Known): SetUpLine {
  const name = 'Payments';
  const todo = 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, then start the service again.';
  switch (paymentsOf(deps)) {
    case 'provider':
      return { name, state: 'ready', now: 'A payment provider is set.' };
    case 'test':
      return {
        name,
        state: 'test',
        now: 'Test payments: plans and test credit cost nothing, no money moves.',
        todo,
      };
    case 'none':
      return {
        name,
        state: 'missing',
        now: 'Nothing that costs money can be bought.',
        todo: `${todo} TEST_PAYMENTS=on rehearses it without money.`,
      };
  }
}

/** The start has tried the store and compared it with that of the other nodes, so what is set works. */
function storageLine({ config: { photoS3, photoDir, dataDir, databaseUrl } }: Known): SetUpLine {
  const name = 'Photo storage';
  const state = 'ready';
  const checked = 'A node that does not see the same photos does not start.';
  if (photoS3 !== undefined) return { name, state, now: `Photos lie in an S3 bucket. ${checked}` };
  if (photoDir !== join(dataDir, 'photos'))
    return { name, state, now: `Photos lie in the folder that PHOTO_DIR names. ${checked}` };
  const now = 'Photos lie in the data directory of this machine';
  if (databaseUrl === undefined) return { name, state, now: `${now}, beside the database.` };
  const todo =
    'Nothing for one node. Before you add a second one, set PHOTO_DIR to a folder that all nodes see, or PHOTO_S3_URL and its bucket, and move the photos there.';
  return { name, state, now: `${now}. ${checked}`, todo };
}
