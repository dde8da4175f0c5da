import { ownValue } from '../../core/input/own-value.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { RPC, RpcError, type RpcMessage } from './json-rpc.ts';

/** Versions that open with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** Versions in which every request carries its own version and client capabilities. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The parameter that the header Mcp-Name repeats, by method. */
const NAMED_BY: Record<string, string> = { 'tools/call': 'name', 'resources/read': 'uri' };

export type Era = { kind: 'legacy' } | { kind: 'modern'; clientCapabilities: Record<string, unknown> };

/** Era of a request: its metadata or the 2026 header make it modern. The first failing check decides the error. */
export function eraOf(message: RpcMessage, headers: IncomingHttpHeaders): Era {
  const header = single(headers['mcp-protocol-version']);
  const meta = asObject(message.params['_meta']);
  const claimed = meta?.[VERSION_KEY];
  if (claimed === undefined && !isModernVersion(header)) {
    if (header !== undefined && !(LEGACY_VERSIONS as readonly string[]).includes(header))
      throw unsupported(header, [...MODERN_VERSIONS, ...LEGACY_VERSIONS]);
    return { kind: 'legacy' };
  }
  const clientCapabilities = readEnvelope(meta);
  if (header !== undefined && header !== claimed)
    throw mismatch('MCP-Protocol-Version', 'the version in _meta');
  if (!isModernVersion(claimed)) throw unsupported(String(claimed), [...MODERN_VERSIONS]);
  if (message.id !== undefined) checkRequestHeaders(message, headers, header);
  return { kind: 'modern', clientCapabilities };
}

function readEnvelope(meta: Record<string, unknown> | undefined): Record<string, unknown> {
  if (typeof meta?.[VERSION_KEY] !== 'string') throw incomplete(meta === undefined ? '_meta' : VERSION_KEY);
  const capabilities = asObject(meta[CAPABILITIES_KEY]);
  if (capabilities === undefined) throw incomplete(CAPABILITIES_KEY);
  return capabilities;
}

function checkRequestHeaders(
  message: RpcMessage,
  headers: IncomingHttpHeaders,
  version: string | undefined,
): void {
  if (version === undefined) throw mismatch('MCP-Protocol-Version', 'the version in _meta');
  if (single(headers['mcp-method']) !== message.method)
    throw mismatch('Mcp-Method', 'the method in the body');
  const name = message.params[ownValue(NAMED_BY, message.method) ?? ''];
  if (typeof name === 'string' && decodeName(single(headers['mcp-name'])) !== name)
    throw mismatch('Mcp-Name', 'the name in the body');
}

/** Decodes a name that does not fit into a header and is sent as =?base64?…?= (SEP-2243). */
function decodeName(value: string | undefined): string | undefined {
  const encoded = value === undefined ? undefined : /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  const decoded = Buffer.from(encoded, 'base64');
  return decoded.toString('base64') === encoded ? decoded.toString('utf8') : undefined;
}

function isModernVersion(version: unknown): boolean {
  return (MODERN_VERSIONS as readonly unknown[]).includes(version);
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header.trim() : undefined;
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function incomplete(missing: string): RpcError {
  return new RpcError(
    RPC.invalidParams,
    400,
    `The request lacks ${missing}, which protocol 2026-07-28 requires.`,
    { missing },
  );
}

function mismatch(header: string, body: string): RpcError {
  return new RpcError(RPC.headerMismatch, 400, `The header ${header} is missing or differs from ${body}.`, {
    header,
  });
}

function unsupported(requested: string, supported: string[]): RpcError {
  return new RpcError(RPC.unsupportedVersion, 400, 'This protocol version is not supported.', {
    supported,
    requested: visibleText(requested),
  });
}
