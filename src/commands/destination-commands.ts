import { systemClock } from '../core/clock.ts';
import { createNewId } from '../core/ids.ts';
import { countryCode } from '../import/tags/address.ts';
import { printLine, UsageError, writingDatabase, type Command, type Options } from './command.ts';

export const DESTINATION_COMMANDS: Record<string, Command> = {
  'destination add': {
    options: ['name', 'other-names', 'country', 'lat', 'lng', 'radius', 'outline'],
    ...{ operand: 'SLUG', run: addCommand },
  },
};

async function addCommand(options: Options, slug: string): Promise<void> {
  const { addDestination, ASSIGNMENT_NOTE, DESTINATION_SLUG, RADIUS_KM_MAX, readOutlineFile } =
    await import('../import/add-destination.ts');
  if (!DESTINATION_SLUG.test(slug) || slug.length > 100)
    throw new UsageError('SLUG must be lower-case letters, digits and single hyphens, such as gozo.');
  const name = options['name']?.trim() ?? '';
  if (name === '' || name.length > 200) throw new UsageError('--name must have 1 to 200 characters.');
  const country = countryCode(options['country']);
  if (country === null) throw new UsageError('--country must be an ISO country code, such as MT.');
  if (options['radius'] !== undefined && options['outline'] !== undefined)
    throw new UsageError('Give either --radius or --outline.');
  const entry = {
    ...{ slug, name, country },
    lat: degrees(options, 'lat', 90),
    lng: degrees(options, 'lng', 180),
    otherNames: (options['other-names'] ?? '')
      .split(';')
      .map((other) => other.trim())
      .filter(Boolean),
    radiusKm: radiusOf(options['radius'], RADIUS_KM_MAX),
    outline: options['outline'] === undefined ? undefined : await readOutlineFile(options['outline']),
  };
  await writingDatabase(async ({ pool }) => {
    const id = await addDestination(pool, createNewId(systemClock), entry);
    printLine(`${name} is a destination: ${id}`);
    printLine(ASSIGNMENT_NOTE);
  });
}

function degrees(options: Options, name: string, max: number): number {
  const value = Number(options[name]);
  if (options[name]?.trim() === undefined || options[name].trim() === '' || !(Math.abs(value) <= max))
    throw new UsageError(`--${name} must be degrees from -${max} to ${max}, such as 35.9.`);
  return value;
}

function radiusOf(text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const km = Number(text);
  if (!(km >= 0.1 && km <= max)) throw new UsageError(`--radius must be kilometres from 0.1 to ${max}.`);
  return km;
}
