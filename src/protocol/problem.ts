import type { FastifyReply } from 'fastify';
import type { AppError } from '../core/errors.ts';

/** RFC 9457 problem details. `error` repeats `code` for simple clients. */
export function problemDetails(baseUrl: string, error: AppError, requestId: string): Record<string, unknown> {
  return {
    type: `${baseUrl}/problems/${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
    instance: requestId,
    code: error.code,
    error: error.code,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
    docs: `${baseUrl}/docs#errors`,
  };
}

/** The headers that go with an error wherever it is sent: on REST, on MCP and on a page. */
export function errorHeaders(error: AppError): Record<string, string> {
  if (error.retryAfterSeconds === undefined) return error.headers;
  return { ...error.headers, 'retry-after': String(error.retryAfterSeconds) };
}

export function sendProblem(reply: FastifyReply, baseUrl: string, error: AppError): FastifyReply {
  return reply
    .code(error.status)
    .headers({ ...errorHeaders(error), 'cache-control': 'no-store' })
    .type('application/problem+json')
    .send(JSON.stringify(problemDetails(baseUrl, error, reply.request.id)));
}
