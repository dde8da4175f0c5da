import type { Era } from './era.ts';
import { RPC, RpcError, type RpcMessage } from './json-rpc.ts';

export interface Resource {
  listing: { uri: string; name: string; mimeType: string; [member: string]: unknown };
  /** The content: text, or bytes in base64, and its `_meta`. */
  read(): ({ text: string } | { blob: string }) & { _meta?: Record<string, unknown> };
}

export class ServedResources {
  readonly listing: string;
  readonly #resources: Map<string, Resource>;

  constructor(resources: readonly Resource[]) {
    this.#resources = new Map(resources.map((resource) => [resource.listing.uri, resource]));
    this.listing = `"resources":${JSON.stringify(resources.map(({ listing }) => listing))}`;
  }

  read({ params }: RpcMessage, era: Era): string {
    const { uri } = params;
    if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 200, 'resources/read needs a uri.');
    const resource = this.#resources.get(uri);
    if (resource === undefined) throw notFound(uri, era);
    const { mimeType } = resource.listing;
    return `"contents":${JSON.stringify([{ uri, mimeType, ...resource.read() }])}`;
  }
}

function notFound(uri: string, era: Era): RpcError {
  const code = era.kind === 'modern' ? RPC.invalidParams : RPC.resourceNotFound;
  return new RpcError(code, 200, 'There is no resource at this address. Call resources/list.', { uri });
}
