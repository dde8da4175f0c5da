import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { commandFor } from '../core/installation.ts';
import { formatCount } from '../core/text/format-count.ts';
import { withPlaces } from '../directory/destinations.ts';
import { IMPORT_COMMAND } from '../surfaces/people/console/set-up/set-up.ts';
import { paymentsOf } from '../wallet/payments.ts';

const PAYMENT_WORDS = {
  provider: 'by the payment provider',
  test: 'TESTS: plans and test credit cost nothing, and no money moves. Set STRIPE_SECRET_KEY before you open the service to the public.',
  none: 'none: nothing that costs money can be bought. Set STRIPE_SECRET_KEY, or TEST_PAYMENTS=on to try payments without money.',
};

/** Explains how to import places, with a command that reaches this installation whatever the shell's settings are. */
function dataLines(config: Config): string[] {
  const { command, note } = commandFor(config, IMPORT_COMMAND);
  return [
    'There are no places yet. Import map data (a file, a folder or an address) while the service runs, in this folder:',
    '',
    `  ${command}`,
    '',
    ...(note === undefined ? [] : [note, '']),
  ];
}

/** The message printed when the service is ready: all addresses, and one command to try. */
export function welcome(config: Config, app: App, place: string): string {
  const { baseUrl, partnerUrl, serviceName } = config;
  const { destinations: all, demo } = app.deps.destinations.current;
  const destinations = withPlaces(all).sort((a, b) => b.places - a.places);
  const places = destinations.reduce((sum, destination) => sum + destination.places, 0);
  const lines = [
    '',
    `${serviceName} is ready: ${formatCount(places, 'place')} in ${formatCount(destinations.length, 'destination')}${demo ? ' (demonstration data)' : ''}, ${place}`,
    '',
    `  Agents      ${baseUrl}/mcp                   REST: ${baseUrl}/openapi.json`,
    `  Partners    ${partnerUrl}/api/partner/mcp       index: ${partnerUrl}/api/partner`,
    `  Concierge   ${partnerUrl}/api/concierge/mcp     index: ${partnerUrl}/api/concierge`,
    `  Travellers  ${baseUrl}/`,
    `  Reference   ${baseUrl}/docs`,
    `  Staff       ${baseUrl}/console                set-up status: ${baseUrl}/console/set-up`,
    `  Payments    ${PAYMENT_WORDS[paymentsOf(app.deps)]}`,
    '',
    ...(places === 0 ? dataLines(config) : []),
    'Try it:',
    '',
    `  curl -A 'MyAgent/1.0 (+https://example.com/me)' '${baseUrl}/api/agent/destinations?country=${destinations[0]?.country ?? 'ID'}'`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

export function accountWelcome(
  account: { email: string; password: string; generated: boolean } | undefined,
): string {
  if (account === undefined) return '';
  if (!account.generated)
    return `\nFirst staff account, role lead: ${account.email}, with the password of STAFF_PASSWORD.\n`;
  return [
    '',
    'First staff account, role lead. The password is shown only once:',
    '',
    `  email     ${account.email}`,
    `  password  ${account.password}`,
    '',
    'At the first sign-in you change it and set up an authenticator app; then /console/set-up shows what is left to do.',
    '',
  ].join('\n');
}
