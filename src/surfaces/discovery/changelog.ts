import type { Deps } from '../../core/context.ts';
import type { Operation } from '../../core/operation.ts';
import { API_VERSION } from '../../protocol/describe/openapi.ts';
import changes from './changes.json' with { type: 'json' };

interface ApiChange {
  date: string;
  kind: 'added' | 'changed' | 'renamed' | 'deprecated' | 'removed';
  surface: 'agent' | 'partner' | 'concierge' | 'all';
  what: string;
  instead?: string;
  sunset?: string;
}

const POLICY =
  'Under 1.x changes are additive, and enumerations may grow. Renamed or removed members work for at least twelve more months, with the headers Deprecation and Sunset, and are listed here. The name of a tool never changes its meaning.';

/** Changes that programs may notice, newest first. Former addresses come from their operations. */
const CHANGES = changes as readonly ApiChange[];

/** Changelog of the APIs, from this list and from operations with a former address. */
export function changelog({ config, destinations }: Deps, operations: readonly Operation[]): object {
  const moved = operations.flatMap(({ rest }): ApiChange[] => {
    if (rest?.formerly === undefined) return [];
    const { path, deprecated, sunset } = rest.formerly;
    return [
      {
        date: deprecated.toISOString().slice(0, 10),
        kind: 'deprecated',
        surface: 'agent',
        what: `${rest.method} ${path}`,
        instead: `${rest.method} ${rest.path}`,
        sunset: sunset.toISOString().slice(0, 10),
      },
    ];
  });
  return {
    name: config.serviceName,
    version: API_VERSION,
    policy: POLICY,
    changes: [...CHANGES, ...moved].sort((a, b) => b.date.localeCompare(a.date)),
    ...destinations.current.attribution,
  };
}
