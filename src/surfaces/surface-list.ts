import { protectedResource, type ProtectedSurface } from '../accounts/keys/protected-resource.ts';
import type { Config } from '../config.ts';
import type { Deps, Surface } from '../core/context.ts';
import type { Operation } from '../core/operation.ts';
import { McpServer } from '../protocol/mcp/dispatch.ts';
import { operationTool, UNTRUSTED_TEXT_NOTICE, type Tool } from '../protocol/mcp/tool.ts';
import { iconsAt } from './listing/icons.ts';
import { skillUri, surfaceSkills } from './skills/skills.ts';
import { shownTool, VIEWS_EXTENSION, VIEWS_SETTINGS, viewsOf } from './views/views.ts';

/** Description of a surface, as used in its MCP handshake, its index and the reference page. */
export interface SurfaceDescription {
  surface: Surface;
  title: string;
  path: string;
  url: string;
  auth: string;
  instructions: string;
  keyForCalls: boolean;
  /** True when calls are counted by plan, or without a key by session and address. */
  counted: boolean;
}

/** A surface with its listed tools, and those that only its full profile lists. */
export interface ServedSurface extends SurfaceDescription {
  tools: readonly Tool[];
  furtherTools: readonly Tool[];
}

const ATTRIBUTION_RULE = 'Show the attribution of every answer beside everything you render from it.';

export function describeSurfaces(config: Config): SurfaceDescription[] {
  const { prefix, serviceName } = config;
  return [
    {
      surface: 'agent',
      title: 'Agents',
      ...addressOf(config, 'agent'),
      auth: `An API key as a bearer token, or OAuth 2.1 without any key; ${prefix}_list_destinations needs none. Every request needs a real User-Agent.`,
      instructions: `${serviceName} is a directory of real places. Begin with ${prefix}_list_destinations. ${UNTRUSTED_TEXT_NOTICE} ${ATTRIBUTION_RULE}`,
      keyForCalls: false,
      counted: false,
    },
    {
      surface: 'partner',
      title: 'Partners',
      ...addressOf(config, 'partner'),
      auth: 'No key is needed; a partner key in X-Partner-Key, or OAuth 2.1, gives higher limits.',
      instructions: `Read-only answers from the ${serviceName} directory. Nothing here books, charges or takes personal data. ${UNTRUSTED_TEXT_NOTICE} ${ATTRIBUTION_RULE}`,
      keyForCalls: false,
      counted: true,
    },
    {
      surface: 'concierge',
      title: 'Concierge',
      ...addressOf(config, 'concierge'),
      auth: 'Every tool call needs a partner key in X-Partner-Key, or OAuth 2.1.',
      instructions: `The ${serviceName} concierge asks venues; the venue decides. A request is not a booking until the venue accepts. ${UNTRUSTED_TEXT_NOTICE} ${ATTRIBUTION_RULE}`,
      keyForCalls: true,
      counted: false,
    },
    ...(config.reserve === undefined ? [] : [reserveSurface(config)]),
  ];
}

/** The Reserve button of large assistants, where the operator has enabled it. */
function reserveSurface({ partnerUrl, serviceName, reserve }: Config): SurfaceDescription {
  return {
    surface: 'reserve',
    title: 'Reserve',
    path: '/api/reserve/mcp',
    url: `${partnerUrl}/api/reserve/mcp`,
    auth:
      reserve?.keyOfUnkeyed === undefined
        ? 'Every tool call needs a partner key, in X-Partner-Key or as a bearer token.'
        : 'No key is needed; an assistant that has one sends it in X-Partner-Key or as a bearer token.',
    instructions: `For the Reserve button of an assistant: ${serviceName} asks the restaurant for a table, and the restaurant decides. A request is not a booking until it accepts. ${UNTRUSTED_TEXT_NOTICE} ${ATTRIBUTION_RULE}`,
    keyForCalls: true,
    counted: false,
  };
}

function addressOf(config: Config, surface: ProtectedSurface): { path: string; url: string } {
  const { path, url } = protectedResource(config, surface);
  return { path, url };
}

/** The tools of a surface, and those that only its full profile lists. */
export function surfaceTools(
  deps: Deps,
  operations: readonly Operation[],
  surface: Surface,
): Pick<ServedSurface, 'tools' | 'furtherTools'> {
  const toolsOf = (has: (operation: Operation) => boolean | undefined) =>
    operations
      .filter(has)
      .map((operation) => shownTool(operation.name, surface, operationTool(deps, operation, surface)));
  return {
    tools: toolsOf(({ tools }) => tools.includes(surface)),
    furtherTools: toolsOf(({ furtherTools }) => furtherTools?.includes(surface)),
  };
}

export function surfaceOffer(
  config: Config,
  version: string,
  described: SurfaceDescription,
  { tools, hasStreets }: { tools: readonly Tool[]; hasStreets: () => boolean },
): McpServer {
  const info = {
    name: endpointName(config.serviceName, described.surface),
    title: `${config.serviceName}: ${described.title}`,
    version,
    websiteUrl: `${config.baseUrl}/docs`,
    icons: iconsAt(described.url),
  };
  const skills = surfaceSkills(config, described.surface);
  return new McpServer({
    info,
    instructions: `${described.instructions} How to use it well: ${skillUri(described.surface)}.`,
    tools,
    resources: [...viewsOf(config, { version, tools, hasStreets }), ...skills.resources],
    extensions: { [VIEWS_EXTENSION]: VIEWS_SETTINGS, ...skills.extensions },
    methods: { ...skills.methods },
  });
}

/** Machine-readable name of an endpoint. */
export function endpointName(serviceName: string, surface: Surface): string {
  return `${serviceName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${surface}`;
}
