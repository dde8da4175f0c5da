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

const DEMONSTRATION = 'Demonstration data: the venues are fictional.';

/** Builds the attribution of place data. A directory with demonstration venues states so in every attribution. */
export function attributionOf(names: AttributionNames, demo: boolean): Attribution {
  const line = `Place data © OpenStreetMap contributors (ODbL) and ${names.providerName}, verified by ${names.serviceName}.`;
  return {
    attribution: demo ? `${line} ${DEMONSTRATION}` : line,
    attribution_links: [
      { name: 'OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
      { name: names.providerName, url: names.providerUrl },
    ],
  };
}
