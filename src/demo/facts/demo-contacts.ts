import type { SeededRandom } from '../demo-random.ts';

/** Prefix and number of digits after it. All numbers of this form are in the range. */
type PhoneRange = readonly [prefix: string, digits: number];

// North American numbering plan: 555-0100 to 555-0199 are for fiction in every area code (ATIS-0300115).
const nanp = (...areaCodes: string[]): PhoneRange[] => areaCodes.map((code) => [`+1${code}55501`, 2]);

/**
 * Phone numbers that regulators reserve for fiction: they are never assigned, so the demo never calls a real person.
 */
export const FICTION_PHONES: Readonly<Record<string, readonly PhoneRange[]>> = {
  US: nanp('202', '212', '305', '310', '312', '415', '504', '512', '617', '702', '808'),
  CA: nanp('416', '514', '604', '403', '613'),
  PR: nanp('787'),
  DO: nanp('809'),
  JM: nanp('876'),
  BS: nanp('242'),
  BB: nanp('246'),
  // Ofcom, numbers for drama: London, the unassigned area code 01632, and mobile.
  GB: [
    ['+442079460', 3],
    ['+441632960', 3],
    ['+447700900', 3],
  ],
  // ComReg, numbering conditions: 020 91 and five digits.
  IE: [['+3532091', 5]],
  // ACMA, fictitious numbers: 5550 and 7010 in each of the four regions.
  AU: ['2', '3', '7', '8'].flatMap((region): PhoneRange[] => [
    [`+61${region}5550`, 4],
    [`+61${region}7010`, 4],
  ]),
  // ARCEP, numbering plan: one block for each region and one of mobile numbers.
  FR: [
    ['+3319900', 4],
    ['+3326191', 4],
    ['+3335301', 4],
    ['+3346571', 4],
    ['+3353649', 4],
    ['+3363998', 4],
  ],
  // Bundesnetzagentur, notice 148/2021: Berlin, Frankfurt, Hamburg, Cologne, Munich.
  DE: [
    ['+493023125', 3],
    ['+496990009', 3],
    ['+494066969', 3],
    ['+492214710', 3],
    ['+498999998', 3],
  ],
  // PTS, numbers for books and film: Stockholm, Gothenburg, Malmö, Kiruna.
  SE: [
    ['+468465004', 2],
    ['+463139006', 2],
    ['+464062804', 2],
    ['+469803192', 2],
  ],
};

/**
 * Number range for countries that reserve none for fiction. ITU-T E.164 reserves country code 999, so no network routes
 * these.
 */
export const UNROUTABLE_PHONE: PhoneRange = ['+99901', 7];

export function demoPhone(random: SeededRandom, country: string): string {
  const [prefix, digits] = random.pick(FICTION_PHONES[country] ?? [UNROUTABLE_PHONE]);
  return prefix + String(random.below(10 ** digits)).padStart(digits, '0');
}

const MAILBOXES = ['hello', 'info', 'contact', 'bookings', 'reservations', 'post'];

const LABEL_CHARACTERS_MAX = 63;

/** Returns the host of a venue's site, under a top-level domain that RFC 2606 reserves. */
export function demoHost(random: SeededRandom, slug: string, citySlug: string): string {
  // Short domains are mostly taken already, so most venues append their city.
  const label = (random.chance(0.2) ? slug : `${slug}-${citySlug}`).slice(0, LABEL_CHARACTERS_MAX);
  return `${label.endsWith('-') ? label.slice(0, -1) : label}.${random.chance(0.97) ? 'example' : 'test'}`;
}

export const demoWebsite = (random: SeededRandom, host: string): string =>
  `https://${random.chance(0.3) ? 'www.' : ''}${host}`;

export const demoEmail = (random: SeededRandom, host: string): string => `${random.pick(MAILBOXES)}@${host}`;
