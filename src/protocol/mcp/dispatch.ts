import { andThen, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS, type Era } from './era.ts';
import { RPC, RpcError, type RpcMessage } from './json-rpc.ts';
import { ServedResources, type Resource } from './resource.ts';
import { closed, CLOSING_BYTES, type Tool, type ToolCall, type ToolResult } from './tool.ts';
import { HOUR_MS } from '../../core/time.ts';

/** Cache lifetime of a tool list, which only a new release changes. */
const LIST_TTL_MS = HOUR_MS;
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const NO_TEMPLATES = '"resourceTemplates":[]';

interface ServerInfo {
  name: string;
  title: string;
  version: string;
  websiteUrl: string;
  icons: readonly { src: string; mimeType: string; sizes: string[] }[];
}

/** JSON text in two parts: what is new in this response, and what is cached for many. */
export type RpcText = readonly [fresh: string, ready: Buffer];

interface RpcResult {
  text: RpcText;
  headers: Record<string, string>;
  failure?: ToolResult['failure'];
}

/** Identity and contents of an endpoint. */
export interface Offered {
  info: ServerInfo;
  instructions: string;
  tools: readonly Tool[];
  resources: readonly Resource[];
  extensions: Record<string, object>;
  /** Methods of these extensions by name. Their results may be cached as long as a list. */
  methods: Record<string, (params: Record<string, unknown>) => object>;
}

/** The offer of one endpoint. Texts that never change are serialized once, here. */
export class McpServer {
  readonly #tools: Map<string, Tool>;
  readonly #resources: ServedResources;
  readonly #methods: Map<string, (params: Record<string, unknown>) => object>;
  readonly #listing: string;
  readonly #info: ServerInfo;
  readonly #instructions: string;
  readonly #capabilities: object;
  readonly #identity: Record<string, unknown>;
  readonly #modernMeta: string;

  constructor({ info, instructions, tools, resources, extensions, methods }: Offered) {
    this.#tools = new Map(tools.map((tool) => [tool.listing.name, tool]));
    this.#resources = new ServedResources(resources);
    this.#methods = new Map(Object.entries(methods));
    this.#listing = `"tools":${JSON.stringify(tools.map((tool) => tool.listing))}`;
    this.#info = info;
    this.#instructions = instructions;
    this.#capabilities = { tools: {}, resources: {}, extensions };
    // Every response identifies the server; only the first one includes its icons.
    const { icons: _icons, ...brief } = info;
    this.#identity = { [SERVER_INFO]: brief };
    this.#modernMeta = `"_meta":${JSON.stringify(this.#identity)}`;
  }

  calledTool({ method, params }: RpcMessage): Tool | undefined {
    const { name } = params;
    return method === 'tools/call' && typeof name === 'string' ? this.#tools.get(name) : undefined;
  }

  /** Returns the JSON text of a request's result. Notifications have none and are not passed here. */
  answer(
    message: RpcMessage,
    era: Era,
    call: Omit<ToolCall, 'arguments' | 'clientCapabilities'>,
  ): MaybePromise<RpcResult> {
    switch (message.method) {
      case 'tools/call':
        return andThen(this.#call(message, era, call), (result) => this.#result(message, era, result));
      case 'tools/list':
        return this.#result(message, era, this.#list(message, era, this.#listing));
      case 'resources/list':
        return this.#result(message, era, this.#list(message, era, this.#resources.listing));
      case 'resources/templates/list':
        return this.#result(message, era, this.#list(message, era, NO_TEMPLATES));
      case 'resources/read':
        return this.#result(message, era, cacheable(era, this.#resources.read(message, era)));
      case 'initialize':
        if (era.kind === 'legacy') return this.#result(message, era, this.#initialize(message));
        break;
      case 'ping':
        if (era.kind === 'legacy') return this.#result(message, era, resultOf({}));
        break;
      case 'server/discover':
        if (era.kind === 'modern') return this.#result(message, era, this.#discover());
        break;
      default: {
        const method = this.#methods.get(message.method);
        if (method !== undefined)
          return this.#result(message, era, cacheable(era, membersOf(method(message.params))));
      }
    }
    // Legacy clients read any 404 as the end of their session, so for them an unknown method has status 200.
    throw new RpcError(
      RPC.methodNotFound,
      era.kind === 'modern' ? 404 : 200,
      'This method is not supported.',
    );
  }

  refuse(message: RpcMessage, era: Era, result: ToolResult): RpcResult {
    return this.#result(message, era, result);
  }

  #call(
    message: RpcMessage,
    era: Era,
    call: Omit<ToolCall, 'arguments' | 'clientCapabilities'>,
  ): MaybePromise<ToolResult> {
    const { name, arguments: args = {} } = message.params;
    const tool = typeof name === 'string' ? this.#tools.get(name) : undefined;
    if (tool === undefined)
      throw new RpcError(RPC.invalidParams, 200, 'There is no tool with this name. Call tools/list.');
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw new RpcError(RPC.invalidParams, 200, 'The member arguments must be an object.');
    const clientCapabilities = era.kind === 'modern' ? era.clientCapabilities : {};
    return tool.call({ ...call, arguments: args as Record<string, unknown>, clientCapabilities });
  }

  #list(message: RpcMessage, era: Era, listing: string): ToolResult {
    if (message.params['cursor'] !== undefined)
      throw new RpcError(RPC.invalidParams, 200, 'The list has only one page, so no cursor is accepted.');
    return cacheable(era, listing);
  }

  #initialize(message: RpcMessage): ToolResult {
    const requestedVersion = message.params['protocolVersion'];
    if (typeof requestedVersion !== 'string')
      throw new RpcError(RPC.invalidParams, 200, 'initialize needs a protocolVersion.');
    const protocolVersion =
      LEGACY_VERSIONS.find((version) => version === requestedVersion) ?? LEGACY_VERSIONS[0];
    const { websiteUrl, icons, ...basicInfo } = this.#info;
    // Only the newest legacy version has websiteUrl and icons.
    const serverInfo =
      protocolVersion === LEGACY_VERSIONS[0] ? { ...basicInfo, websiteUrl, icons } : basicInfo;
    return resultOf({
      protocolVersion,
      capabilities: this.#capabilities,
      serverInfo,
      instructions: this.#instructions,
    });
  }

  #discover(): ToolResult {
    const discovered = resultOf({
      supportedVersions: [...MODERN_VERSIONS],
      capabilities: this.#capabilities,
      instructions: this.#instructions,
      ttlMs: LIST_TTL_MS,
      cacheScope: 'public',
    });
    return { ...discovered, meta: { [SERVER_INFO]: this.#info } };
  }

  #result(message: RpcMessage, era: Era, { members, meta, headers = {}, failure }: ToolResult): RpcResult {
    let head = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{`;
    if (era.kind === 'modern') {
      const own =
        meta === undefined ? this.#modernMeta : `"_meta":${JSON.stringify({ ...this.#identity, ...meta })}`;
      head += `"resultType":"complete",${own}`;
    } else if (meta !== undefined) {
      head += `"_meta":${JSON.stringify(meta)}`;
    }
    if (members.length > CLOSING_BYTES && !head.endsWith('{')) head += ',';
    return failure === undefined
      ? { text: [head, members], headers }
      : { text: [head, members], headers, failure };
  }
}

/** Marks results that only a new release changes as cacheable, for clients that support it. */
function cacheable(era: Era, members: string): ToolResult {
  const caching = era.kind === 'modern' ? `,"ttlMs":${LIST_TTL_MS},"cacheScope":"public"` : '';
  return { members: closed(members + caching) };
}

function resultOf(object: object): ToolResult {
  return { members: closed(membersOf(object)) };
}

function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
