import { ERRORS } from '../../../src/core/errors.ts';
import type { Exchange } from '../perform/exchange.ts';
import { fault, type Fault } from './fault.ts';
import { schemaFault } from './schema.ts';

interface RpcBody {
  jsonrpc?: unknown;
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code?: unknown; message?: unknown };
}

const STATUSES = new Set([200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 414, 415, 429, 431]);

/** JSON-RPC, and where a tool was called, what it publishes about its answers. */
export function rpcFaults(exchange: Exchange, where: string): Fault[] {
  const { answer, expects, odd } = exchange;
  if (expects.kind !== 'rpc' || answer.status >= 500) return [];
  const { status, text } = answer;
  if (!STATUSES.has(status)) return [fault(`status ${status} on MCP`, where, text)];
  const type = (answer.headers['content-type'] ?? '').replace(/;.*/, '');
  if (status === 202 || status === 204)
    return text === '' ? [] : [fault('a body where none belongs', where, text)];
  if (type === 'application/problem+json' && odd) return [];
  let body: RpcBody;
  try {
    body = JSON.parse(
      type === 'text/event-stream' ? text.replace(/^event: message\ndata: /, '') : text,
    ) as RpcBody;
  } catch {
    return [fault(`no JSON with status ${status}`, where, text)];
  }
  if (body.jsonrpc !== '2.0' || !('id' in body) || (body.result === undefined) === (body.error === undefined))
    return [fault('no JSON-RPC answer', where, text)];
  if (body.error !== undefined) {
    const { code, message } = body.error;
    return Number.isInteger(code) && typeof message === 'string'
      ? []
      : [fault('no JSON-RPC error', where, text)];
  }
  if (status !== 200) return [fault(`a result with status ${status}`, where, text)];
  if (expects.tool === undefined || odd) return [];
  if (body.id !== 1) return [fault('the id of another message', where, text)];
  return body.result === undefined ? [] : toolFaults(body.result, expects.tool.outputSchema, where, text);
}

function toolFaults(result: Record<string, unknown>, schema: unknown, where: string, text: string): Fault[] {
  const [{ type, text: words } = {}] = (result['content'] ?? []) as { type?: unknown; text?: unknown }[];
  if (type !== 'text' || typeof words !== 'string') return [fault('a result without words', where, text)];
  if (result['isError'] === true) {
    const meta = result['_meta'] as Record<string, { code?: string }> | undefined;
    const code = meta?.['svc/error']?.code ?? '';
    if (
      !Object.hasOwn(ERRORS, code) ||
      !words.startsWith(`${code}: `) ||
      result['structuredContent'] !== undefined
    )
      return [fault('an error that programs cannot read', where, text)];
    return [];
  }
  const wrong = schemaFault(schema, result['structuredContent']);
  if (wrong !== undefined) return [fault('a result outside its schema', where, `${wrong}\n${text}`)];
  return words.includes('Place data ©') ? [] : [fault('a result without attribution', where, text)];
}
