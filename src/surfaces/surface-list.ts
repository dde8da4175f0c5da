import type { Config } from '../config.ts';
import type { Deps, Surface } from '../core/context.ts';
import type { Operation } from '../core/operation.ts';
import { Offer } from '../protocol/mcp/dispatch.ts';
import { operationTool, STRANGERS_TEXT, type Tool } from '../protocol/mcp/tool.ts';
import { shownTool, VIEWS_EXTENSION, VIEWS_SETTINGS, viewsOf } from './views/views.ts';

/** What the outside is told about a surface: in its MCP handshake, in its index and on the reference page. */
export interface SurfaceDescription {
  surface: Surface;
  title: string;
  path: string;
  url: string;
  auth: string;
  instructions: string;
  keyForCalls: boolean;
  /** Whether calls are counted by plan, or without a key by session and address. */
  counted: boolean;
}

const ATTRIBUTION_RULE = 'Show the attribution of every answer beside whatever you render from it.';

export function describeSurfaces(config: Config): SurfaceDescription[] {
  const { baseUrl, partnerUrl, prefix, serviceName } = config;
  return [
    {
      surface: 'agent',
      title: 'Agents',
      path: '/mcp',
      url: `${baseUrl}/mcp`,
      auth: `An API key as a bearer token, or OAuth 2.1 without any key; ${prefix}_list_destinations needs none. Every request needs a real User-Agent.`,
      instructions: `${serviceName} is a directory of real places. Begin with ${prefix}_list_destinations. ${STRANGERS_TEXT} ${ATTRIBUTION_RULE}`,
      keyForCalls: false,
      counted: false,
    },
    {
      surface: 'partner',
      title: 'Partners',
      path: '/api/partner/mcp',
      url: `${partnerUrl}/api/partner/mcp`,
      auth: 'No key is needed; a partner key in X-Partner-Key gives higher limits.',
      instructions: `Read-only answers from the ${serviceName} directory. Nothing here books, charges or takes personal data. ${STRANGERS_TEXT} ${ATTRIBUTION_RULE}`,
      keyForCalls: false,
      counted: true,
    },
    {
      surface: 'concierge',
      title: 'Concierge',
      path: '/api/concierge/mcp',
      url: `${partnerUrl}/api/concierge/mcp`,
      auth: 'Every tool call needs a partner key in X-Partner-Key.',
      instructions: `The ${serviceName} concierge asks venues; the venue decides. A request is not a booking until the venue accepts. ${STRANGERS_TEXT} ${ATTRIBUTION_RULE}`,
      keyForCalls: true,
      counted: false,
    },
  ];
}

export function surfaceTools(deps: Deps, operations: readonly Operation[], surface: Surface): Tool[] {
  return operations
    .filter((operation) => operation.tools.includes(surface))
    .map((operation) => shownTool(operation.name, operationTool(deps, operation, surface)));
}

export function surfaceOffer(
  config: Config,
  version: string,
  described: SurfaceDescription,
  tools: readonly Tool[],
): Offer {
  const info = {
    name: `${config.serviceName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${described.surface}`,
    title: `${config.serviceName}: ${described.title}`,
    version,
    websiteUrl: `${config.baseUrl}/docs`,
  };
  return new Offer({
    info,
    instructions: described.instructions,
    tools,
    resources: viewsOf(config, version, tools),
    extensions: { [VIEWS_EXTENSION]: VIEWS_SETTINGS },
    methods: {},
  });
}
