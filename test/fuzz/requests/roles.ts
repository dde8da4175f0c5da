import type { Role } from '../world/caller.ts';

export type Weights = Partial<Record<Role, number>>;

/** Who comes to an interface for programs. Most come with the right credential: others get no further than its door. */
export function roleWeights(path: string): Weights {
  if (path === '/mcp') return { agent: 14, 'oauth client': 6, anonymous: 2, stranger: 1, partner: 1 };
  if (path === '/api/partner/mcp') return { partner: 14, anonymous: 4, stranger: 1, agent: 1 };
  if (path.startsWith('/api/concierge')) return { partner: 20, anonymous: 1, stranger: 1 };
  if (path.startsWith('/api/partner')) return { partner: 12, anonymous: 6, stranger: 1, agent: 1 };
  if (/signup|recover|destinations/.test(path)) return { anonymous: 6, agent: 6, stranger: 1 };
  return { agent: 20, 'oauth client': 1, anonymous: 1, stranger: 1, partner: 1 };
}

const PEOPLE: readonly (readonly [start: RegExp, roles: Weights])[] = [
  [/^\/console\/(kill|staff|partners|agents|licences)/, { lead: 12, desk: 2, reviewer: 2 }],
  [/^\/console\/(desk|tables)/, { desk: 6, lead: 6, reviewer: 1 }],
  [/^\/console\/(review|photos|places|audit)/, { reviewer: 8, lead: 6, desk: 1 }],
  [/^\/console\/sign-in/, { anonymous: 1 }],
  [/^\/console/, { lead: 4, desk: 4, reviewer: 4 }],
  [/^\/photos\/mine/, { photographer: 10, member: 3 }],
  [/^\/member\/sign-in/, { anonymous: 6, member: 1 }],
  [/^\/member/, { member: 8, photographer: 4 }],
  [/^\/venue/, { venue: 12 }],
  [/^\/partner\/sign-in/, { anonymous: 6, 'partner person': 1 }],
  [/^\/partner/, { 'partner person': 8 }],
  [/^\/oauth/, { operator: 8, anonymous: 2 }],
];

/** Who opens a page: mostly those for whom it is, and now and then anybody. */
export function peopleOf(pattern: string): Weights {
  const [, usual = { anonymous: 12, member: 2, venue: 2 }] =
    PEOPLE.find(([start]) => start.test(pattern)) ?? [];
  return {
    anonymous: 1,
    member: 1,
    photographer: 1,
    venue: 1,
    operator: 1,
    'partner person': 1,
    reviewer: 1,
    desk: 1,
    lead: 1,
    ...usual,
  };
}
