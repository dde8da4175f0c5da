import type { Config } from '../../config.ts';
import type { Surface } from '../../core/context.ts';
import { endpointName, type SurfaceDescription } from '../surface-list.ts';
import texts from './listing-texts.json' with { type: 'json' };

/** One endpoint as directories list it. The texts describe what it does, and make no claims about quality. */
export interface Listing {
  surface: Surface;
  name: string;
  title: string;
  url: string;
  auth: string;
  website: string;
  privacy: string;
  terms: string;
  support: string;
  /** At most 30 characters. */
  subtitle: string;
  /** At most 100 characters, for registries. */
  short: string;
  long: string;
  categories: readonly string[];
}

export function listingOf(config: Config, { surface, title, url, auth }: SurfaceDescription): Listing {
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
