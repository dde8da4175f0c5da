import type { AppError } from '../../core/errors.ts';

type RpcId = string | number;

export interface RpcMessage {
  id?: RpcId;
  method: string;
  params: Record<string, unknown>;
}

/** The codes of JSON-RPC and MCP 2026-07-28, and ours, which lie outside the range reserved for them. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  unauthorized: 40100,
  forbidden: 40300,
  limited: 42900,
} as const;

/** A fault of the protocol, not of the operation: a JSON-RPC error with its HTTP status. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: number, status: number, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export function rpcErrorOf(error: AppError): RpcError {
  const byStatus = { 401: RPC.unauthorized, 403: RPC.forbidden, 429: RPC.limited }[error.status];
  const other = error.code === 'malformed_json' ? RPC.parseError : RPC.invalidRequest;
  const code = byStatus ?? (error.status >= 500 ? RPC.internalError : other);
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new RpcError(code, error.status, `${error.code}: ${error.message}`, { code: error.code, ...hint });
}

/** Parses one message. `undefined` is a client's response, which is ignored. Batches are refused. */
export function readMessage(body: unknown): RpcMessage | undefined {
  if (Array.isArray(body)) throw invalid('Batches are not supported; send one message in each request.');
  if (typeof body !== 'object' || body === null) throw invalid('The body must be a JSON-RPC message.');
  const { jsonrpc, id, method, params } = body as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw invalid('The member jsonrpc must be "2.0".');
  if (method === undefined && (Object.hasOwn(body, 'result') || Object.hasOwn(body, 'error')))
    return undefined;
  if (typeof method !== 'string') throw invalid('The member method must be a string.');
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))
    throw invalid('The member id must be a string or an integer.');
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw new RpcError(RPC.invalidParams, 400, 'The member params must be an object.');
  const message = { method, params: (params ?? {}) as Record<string, unknown> };
  return id === undefined ? message : { ...message, id: id as RpcId };
}

function invalid(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, 400, message);
}

export function idOf(body: unknown): RpcId | null {
  const id = typeof body === 'object' && body !== null ? (body as { id?: unknown }).id : undefined;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null;
}

export function errorText(id: RpcId | null, error: RpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  });
}
