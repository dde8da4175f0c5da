import type { Deps } from '../../../core/context.ts';
import { paymentsOf } from '../../../wallet/payments.ts';
import type { Site } from './layout.ts';

/** Returns the current facts about the service that every page shows. */
export function siteOf(deps: Deps): Site {
  const { config, destinations } = deps;
  const { serviceName, providerName, baseUrl, partnerUrl, prefix } = config;
  const { attribution, demo, samples, destinations: all } = destinations.current;
  return {
    serviceName,
    providerName,
    baseUrl,
    partnerUrl,
    prefix,
    attribution: { text: attribution.attribution, links: attribution.attribution_links },
    demo,
    empty: all.every(({ places }) => places === 0),
    samples,
    testPayments: paymentsOf(deps) === 'test',
  };
}
