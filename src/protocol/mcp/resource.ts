import type { Era } from './era.ts';
import { RPC, RpcError, type RpcMessage } from './json-rpc.ts';

/** A file that clients read by its URI, such as a view or a skill. It only changes with a release. */
export interface Resource {
  listing: { uri: string; name: string; mimeType: string; [member: string]: unknown };
  /** The content: text, or bytes in base64, and its `_meta`. */
  read(): ({ text: string } | { blob: string }) & { _meta?: Record<string, unknown> };
}

/** The resources of one endpoint. */
export class ServedResources {
  /** The members of a list result, as JSON text. */
  readonly listing: string;
  readonly #resources: Map<string, Resource>;

  constructor(resources: readonly Resource[]) {
    this.#resources = new Map(resources.map((resource) => [resource.listing.uri, resource]));
    this.listing = `"resources":${JSON.stringify(resources.map(({ listing }) => listing))}`;
  }

  /** Returns the members of a read result, as JSON text. */
  read({ params }: RpcMessage, era: Era): string {
    const { uri } = params;
    if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 200, 'resources/read needs a uri.');
    const resource = this.#resources.get(uri);
    if (resource === undefined) throw notFound(uri, era);
    const { mimeType } = resource.listing;
    return `"contents":${JSON.stringify([{ uri, mimeType, ...resource.read() }])}`;
  }
}

/** Before 2026 the protocol had a separate code for this. */
function notFound(uri: string, era: Era): RpcError {
  const code = era.kind === 'modern' ? RPC.invalidParams : RPC.resourceNotFound;
  return new RpcError(code, 200, 'There is no resource at this address. Call resources/list.', { uri });
}
