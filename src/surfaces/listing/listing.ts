import type { Config } from '../../config.ts';
import { endpointName, type SurfaceDescription } from '../surface-list.ts';
import texts from './listing-texts.json' with { type: 'json' };

/**
 * One endpoint as directories list it. The texts describe what it does, and make no claims about quality. `subtitle` has
 * at most 30 characters, `short` at most 100, for registries.
 */
export type Listing = ReturnType<typeof listingOf>;

export function listingOf(config: Config, { surface, title, url, auth }: SurfaceDescription) {
  const { baseUrl, serviceName } = config;
  return {
    ...texts[surface],
    surface,
    name: endpointName(serviceName, surface),
    title: surface === 'agent' ? serviceName : `${serviceName} ${title}`,
    url,
    auth,
    website: `${baseUrl}/docs`,
    privacy: `${baseUrl}/privacy`,
    terms: `${baseUrl}/terms`,
    support: `${baseUrl}/support`,
  };
}
