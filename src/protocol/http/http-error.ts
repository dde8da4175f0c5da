import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { isUnavailable } from '../../core/postgres/db.ts';
import { AppError, asAppError, type ErrorCode } from '../../core/errors.ts';
import { answerHeaders, NOTHING_LEFT } from './answer-headers.ts';
import { problemDetails } from './problem.ts';

const UNSTORABLE: [ErrorCode, string] = [
  'validation_failed',
  'A text contains characters that cannot be stored.',
];

/** Our codes and messages for errors of the HTTP framework, and of PostgreSQL about characters that it cannot store. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 256 kB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The length of the body differs from Content-Length.'],
  FST_ERR_BAD_URL: ['bad_request', 'The path is not valid percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A part of the path is too long.'],
  '22021': UNSTORABLE,
  '22P05': UNSTORABLE,
};

/** Converts anything thrown to an error with a code, translating those of the framework and the database. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  const frameworkError = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (frameworkError !== undefined)
    return new AppError(frameworkError[0], frameworkError[1], { cause: thrown });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new AppError('bad_request', 'The HTTP request is malformed. Check its path, headers and body.', {
      cause: thrown,
    });
  if (isUnavailable(thrown)) return unavailable(thrown as { code: string });
  return asAppError(thrown);
}

const TOO_LATE = 'The database did not answer in time.';

/** Messages for callers by error code of the database. All other codes mean that it cannot be reached. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  READ_ONLY: 'The database is read-only at the moment. Nothing was changed.',
  COMMIT_UNKNOWN:
    'The database stopped answering during the commit. The change may or may not have been made.',
  SERVER_SILENT: TOO_LATE,
  STATEMENT_TIMEOUT: TOO_LATE,
  POOL_BUSY: TOO_LATE,
  '57014': TOO_LATE,
};

const RETRY_SECONDS = 5;

function unavailable(thrown: { code: string }): AppError {
  return new AppError(
    'maintenance',
    UNAVAILABLE[thrown.code] ?? 'The database cannot be reached at the moment.',
    {
      cause: thrown,
      hint: 'Try again soon. Repeat a write with its Idempotency-Key, so that it is not done twice.',
      retryAfterSeconds: RETRY_SECONDS,
      // The write may have been committed, so a program must not treat this error as a refusal.
      ...(thrown.code === 'COMMIT_UNKNOWN' && { members: { outcome: 'unknown' } }),
    },
  );
}

/** Gives requests that Node would answer or close by itself a normal response. */
export function handleNodeRejections(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.server.on('connect', (_request, socket) =>
    app.server.emit('clientError', Object.assign(new Error('CONNECT was sent'), { code: 'CONNECT' }), socket),
  );
}

/** Answers input that is not even HTTP: there is no request object yet, so the response is written by hand. */
export function refuseConnection(
  baseUrl: string,
  thrown: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  if (thrown.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = connectionError(thrown);
  const body = JSON.stringify(problemDetails(baseUrl, error, requestId));
  const headers = {
    ...answerHeaders(baseUrl, '', requestId),
    // The requested path is unknown; it may belong to the agent surface.
    ...NOTHING_LEFT,
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

function connectionError(thrown: NodeJS.ErrnoException): AppError {
  switch (thrown.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The address and the headers are larger than 16 kB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive in time.');
    case 'CONNECT':
      return new AppError('bad_request', 'This service is not a proxy, so CONNECT is not supported.');
    default:
      return new AppError('bad_request', 'This is not a valid HTTP request.', { cause: thrown });
  }
}
