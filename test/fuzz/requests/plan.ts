import type { Role } from '../world/caller.ts';
import type { EndpointPath } from '../world/world.ts';
import type { Oddity } from './oddities.ts';

/** Who sends: one of those who have a role. */
export interface CallerChoice {
  role: Role;
  nth: number;
  /** The last part of the address from which it comes. */
  from: number;
}

interface Common {
  caller: CallerChoice;
  oddity: Oddity | undefined;
}

export interface RestPlan extends Common {
  kind: 'rest';
  path: string;
  method: string;
  input: Record<string, unknown>;
  /** A key under which it is sent, and what is sent a second time under the same. */
  repeat: { key: string; input: Record<string, unknown> | undefined } | undefined;
}

export interface ToolPlan extends Common {
  kind: 'tool';
  endpoint: EndpointPath;
  name: string;
  input: unknown;
  modern: boolean;
  /** Further members of the message, or instead of those that it has. */
  message: Record<string, unknown>;
}

export interface FormPlan extends Common {
  kind: 'form';
  pattern: string;
  /** Selects the ids and links in the address. */
  ids: number;
  /** Stands in the address instead of an id. */
  instead: string | undefined;
  query: Record<string, string>;
  steps: readonly FormStep[];
}

/** How one form of a page is filled in. The page says only when it is opened which fields there are. */
export interface FormStep {
  form: number;
  choices: readonly number[];
  /** So many fields get one of these texts instead of what belongs there. */
  spoil: number;
  texts: readonly string[];
  token: 'own' | 'none' | 'wrong' | 'foreign';
  extra: Record<string, string>;
}

/** A request to an address that is no operation and no page: OAuth, and what programs discover the service by. */
export interface EndpointPlan extends Common {
  kind: 'endpoint';
  method: string;
  path: string;
  fields: Record<string, unknown>;
  encoding: 'query' | 'form' | 'json';
}

export type Plan = RestPlan | ToolPlan | FormPlan | EndpointPlan;
