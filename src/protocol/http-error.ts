import type { Socket } from 'node:net';
import { isUnavailable } from '../core/db.ts';
import { AppError, asAppError, type ErrorCode } from '../core/errors.ts';
import { problemDetails } from './problem.ts';

/** What the HTTP framework refuses, in our own codes and words. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 256 kB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['bad_request', 'The path is not valid percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH_EXCEEDED: ['uri_too_long', 'A part of the path is too long.'],
};

/** Any thrown thing as an error with a code: ours as it is, the framework's and the database's translated. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (known !== undefined) return new AppError(known[0], known[1], { cause: thrown });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'The request cannot be read.', { cause: thrown });
  }
  if (isUnavailable(thrown)) {
    return new AppError('maintenance', 'The database cannot be reached at the moment. Nothing was changed.', {
      cause: thrown,
      retryAfterSeconds: 5,
    });
  }
  return asAppError(thrown);
}

/** Answers what is not even HTTP: there is no request object yet, so the text is written by hand. */
export function refuseConnection(
  baseUrl: string,
  thrown: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  if (thrown.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, message]: [ErrorCode, string] =
    thrown.code === 'HPE_HEADER_OVERFLOW'
      ? ['headers_too_large', 'The headers are larger than 16 kB.']
      : thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['request_timeout', 'The request did not arrive in time.']
        : ['bad_request', 'This is not a valid HTTP request.'];
  const error = new AppError(code, message);
  const body = JSON.stringify(problemDetails(baseUrl, error, requestId));
  socket.end(
    `HTTP/1.1 ${error.status} ${error.title}\r\ncontent-type: application/problem+json\r\nx-request-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
