import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Members whose values never reach the log, at any depth of an object. */
const SECRET_MEMBERS = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-partner-key',
  'idempotency-key',
  'api_key',
  'password',
  'password_hash',
  'secret',
  'token',
  'csrf',
]);
const DEPTH_MAX = 6;

export function createLog(level: string, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }), log: (line) => redact(line, DEPTH_MAX) },
      serializers: { err: describeError },
    },
    destination,
  );
}

export interface RequestLine {
  id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  at: number;
}

/** Logs requests, formatted by hand, because using the library costs more than serving a request. */
export function logRequests(log: Log, lines: readonly RequestLine[]): void {
  if (!log.isLevelEnabled('info')) return;
  let text = '';
  for (const { id, method, route, status, ms, at } of lines) {
    const took = Math.round(ms * 100) / 100;
    text += `{"level":"info"${timestamp(at)},"request_id":"${id}","method":"${method}","route":"${route}","status":${status},"ms":${took},"msg":"request"}\n`;
  }
  const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
  stream?.write(text);
}

let timeMs = 0;
let timeText = '';

/** Returns the time as ISO text, cached: many lines fall into one millisecond, and formatting it costs the most. */
function timestamp(now = Date.now()): string {
  if (now !== timeMs) {
    timeMs = now;
    timeText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeText;
}

/** Copies an object without its secrets. Written by hand, because pino's wildcards cost more than serving a request. */
function redact(value: Record<string, unknown>, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (SECRET_MEMBERS.has(name.toLowerCase())) copy[name] = '[redacted]';
    else if (typeof member !== 'object' || member === null || member instanceof Error) copy[name] = member;
    else copy[name] = depth === 0 ? '[deep]' : redactObject(member, depth - 1);
  }
  return copy;
}

function redactObject(value: object, depth: number): unknown {
  if (value instanceof Date) return value;
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      typeof item === 'object' && item !== null ? redactObject(item, depth) : item,
    );
  return redact(value as Record<string, unknown>, depth);
}

/** Keeps only the safe parts of an error: errors of PostgreSQL carry parameters, which may be callers' data. */
function describeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { code, constraint } = thrown as { code?: unknown; constraint?: unknown };
  const cause = thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) };
  return {
    type: thrown.name,
    message: thrown.message,
    code,
    constraint_name: constraint,
    stack: thrown.stack,
    ...cause,
  };
}
