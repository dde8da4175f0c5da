import { printLine, UsageError, type Command, type Options } from './command.ts';
import { loadConfig, type Config } from '../config.ts';
import type { Listing } from '../surfaces/listing/listing.ts';

/** Print an endpoint's listing data for directories, for the public address of this installation. */
export const LISTING_COMMANDS: Record<string, Command> = {
  'listing server-json': listingCommand(async (config, listing) => {
    const { serverJson } = await import('../surfaces/listing/server-json.ts');
    return JSON.stringify(serverJson(config, listing), null, 2);
  }),
  'listing chatgpt': listingCommand(async (config, listing) => {
    const { chatgptSubmission } = await import('../surfaces/listing/chatgpt-submission.ts');
    const { OPERATIONS } = await import('../surfaces/operations.ts');
    return JSON.stringify(chatgptSubmission(config, listing, OPERATIONS), null, 2);
  }),
  'listing packet': listingCommand(async (config, listing) => {
    const { packet } = await import('../surfaces/listing/packet.ts');
    const { OPERATIONS } = await import('../surfaces/operations.ts');
    return packet(config, listing, OPERATIONS);
  }),
};

function listingCommand(write: (config: Config, listing: Listing) => Promise<string>): Command {
  const run = async (_options: Options, surface: string) => {
    const config = loadConfig();
    const { describeSurfaces } = await import('../surfaces/surface-list.ts');
    const { listingOf } = await import('../surfaces/listing/listing.ts');
    const described = describeSurfaces(config).find((one) => one.surface === surface);
    if (described === undefined) throw new UsageError('The endpoint is agent, partner or concierge.');
    printLine(await write(config, listingOf(config, described)));
    if (!described.url.startsWith('https:'))
      process.stderr.write('Directories accept https addresses only: set BASE_URL and PARTNER_URL.\n');
  };
  return { options: [], operand: 'the endpoint (agent, partner or concierge)', run };
}
