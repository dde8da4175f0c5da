import { z } from 'zod';

export interface AttributionNames {
  serviceName: string;
  providerName: string;
  providerUrl: string;
}

/** Members of every success payload. The runner adds them, so that no operation can omit them. */
export const attributionSchema = z.object({
  attribution: z.string().min(1).describe('Show this line beside everything you render from this answer.'),
  attribution_links: z
    .array(z.object({ name: z.string(), url: z.string() }))
    .describe('Links for the names in the attribution line.'),
});

export type Attribution = z.output<typeof attributionSchema>;

/** States what of a demonstration is fictional. */
function demonstrationWords(samples: readonly string[]): string {
  const real = samples.length === 0 ? '' : `, except in ${samples.join(', ')}`;
  return `Demonstration data: the venues are fictional${real}.`;
}

/** Sources besides OpenStreetMap that want to be named, with their licences. */
const NAMED_SOURCES = [
  {
    source: 'overture',
    name: 'Overture Maps Foundation',
    licence: 'CDLA-Permissive-2.0',
    url: 'https://docs.overturemaps.org/attribution/',
  },
  {
    source: 'foursquare',
    name: 'Foursquare Open Source Places',
    licence: 'Apache 2.0',
    url: 'https://opensource.foursquare.com/os-places/',
  },
] as const;

/**
 * Builds the attribution of place data, with the sources that the directory contains. A directory with demonstration
 * venues states so in every attribution.
 */
export function attributionOf(
  names: AttributionNames,
  demo: boolean,
  sources: ReadonlySet<string> = new Set(),
  samples: readonly string[] = [],
): Attribution {
  const named = NAMED_SOURCES.filter(({ source }) => sources.has(source));
  const before = [
    '© OpenStreetMap contributors (ODbL)',
    ...named.map(({ name, licence }) => `${name} (${licence})`),
  ];
  const line = `Place data ${before.join(', ')} and ${names.providerName}, verified by ${names.serviceName}.`;
  return {
    attribution: demo ? `${line} ${demonstrationWords(samples)}` : line,
    attribution_links: [
      { name: 'OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
      ...named.map(({ name, url }) => ({ name, url })),
      { name: names.providerName, url: names.providerUrl },
    ],
  };
}
