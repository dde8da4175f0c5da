import type { FastifyReply } from 'fastify';
import type { AppError } from '../../core/errors.ts';
import { sendReply, type ExchangeReply } from './exchange.ts';

/** The problem type that draft-ietf-httpapi-ratelimit-headers registers for an exhausted quota. */
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** Builds RFC 9457 problem details. `error` repeats `code` for simple clients. */
export function problemDetails(baseUrl: string, error: AppError, requestId: string): Record<string, unknown> {
  return {
    type: error.violatedPolicies === undefined ? `${baseUrl}/problems/${error.code}` : QUOTA_EXCEEDED,
    title: error.title,
    status: error.status,
    detail: error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
    instance: requestId,
    code: error.code,
    error: error.code,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
    ...(error.violatedPolicies === undefined ? {} : { 'violated-policies': error.violatedPolicies }),
    ...error.members,
    docs: `${baseUrl}/docs/errors`,
  };
}

export function errorHeaders(error: AppError): Record<string, string> {
  if (error.retryAfterSeconds === undefined) return error.headers;
  return { ...error.headers, 'retry-after': String(error.retryAfterSeconds) };
}

export function problemReply(baseUrl: string, error: AppError, requestId: string): ExchangeReply {
  return {
    status: error.status,
    headers: {
      ...errorHeaders(error),
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
    },
    body: JSON.stringify(problemDetails(baseUrl, error, requestId)),
  };
}

export function sendProblem(reply: FastifyReply, baseUrl: string, error: AppError): FastifyReply {
  return sendReply(reply, problemReply(baseUrl, error, reply.request.id));
}
