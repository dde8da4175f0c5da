import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Members whose values never reach the log, wherever they stand in an object. */
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

/**
 * The line of a request. It is written by hand: what it says is known, none of it is secret or needs escaping, and
 * the way through the library costs more than serving the request.
 */
export function logRequest(
  log: Log,
  request: { id: string; method: string; route: string; status: number; ms: number },
): void {
  if (!log.isLevelEnabled('info')) return;
  const { id, method, route, status, ms } = request;
  const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
  stream?.write(
    `{"level":"info"${timestamp()},"request_id":"${id}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 100) / 100},"msg":"request"}\n`,
  );
}

let timeMs = 0;
let timeText = '';

/** The time as ISO text. Many lines fall into one millisecond, and writing it costs more than the rest of a line. */
function timestamp(): string {
  const now = Date.now();
  if (now !== timeMs) {
    timeMs = now;
    timeText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeText;
}

/** The same object without its secrets. By hand, because pino's wildcards cost more than serving a request. */
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
  if (Array.isArray(value)) {
    return value.map((item: unknown) =>
      typeof item === 'object' && item !== null ? redactObject(item, depth) : item,
    );
  }
  return redact(value as Record<string, unknown>, depth);
}

/** Postgres errors carry the statement's parameters, which may be a caller's data: only the safe parts are kept. */
function describeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { code, constraint_name } = thrown as { code?: unknown; constraint_name?: unknown };
  const cause = thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) };
  return { type: thrown.name, message: thrown.message, code, constraint_name, stack: thrown.stack, ...cause };
}
