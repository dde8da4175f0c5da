import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Keys whose values never reach the log, wherever they stand in an object. */
const SECRET_KEYS = [
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
];

export function createLog(level: string, destination: DestinationStream): Log {
  const quoted = SECRET_KEYS.map((key) => `["${key}"]`);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: quoted.flatMap((key) => [key, `*${key}`, `*.*${key}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** Postgres errors carry the statement's parameters, which may be a caller's data: only the safe parts are kept. */
function describeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { code, constraint_name } = thrown as { code?: unknown; constraint_name?: unknown };
  const cause = thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) };
  return { type: thrown.name, message: thrown.message, code, constraint_name, stack: thrown.stack, ...cause };
}
