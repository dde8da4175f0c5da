import type { IncomingHttpHeaders } from 'node:http';
import type { Deps, Surface } from '../../core/context.ts';
import type { AppError } from '../../core/errors.ts';
import { bearerChallenge } from '../authenticate.ts';
import { errorResult, type ToolResult } from './tool.ts';

/** Hosts that show their sign-in for a challenge in the result of a tool, and for no other, by how they call themselves. */
const ASKED_IN_RESULT = /^openai-mcp\b/i;

/**
 * The refusal of a call as such a host wants it: a result that carries the challenge. Undefined for every other host,
 * and for a token that is no longer good: a host renews that by itself when it meets the 401. Behind the Reserve button
 * nobody signs in.
 */
export function signInResult(
  config: Deps['config'],
  surface: Surface,
  headers: IncomingHttpHeaders,
  error: AppError,
): ToolResult | undefined {
  if (surface === 'reserve' || !ASKED_IN_RESULT.test(headers['user-agent'] ?? '')) return undefined;
  if (error.code !== 'missing_credentials' && error.code !== 'insufficient_scope') return undefined;
  const challenge = error.headers['www-authenticate'] ?? bearerChallenge(config, surface);
  // Such a host wants to hear what is missing in every challenge, also where no credential came.
  const [, parameters = ''] = /^Bearer (?:error="\w+", )?(.*)$/.exec(challenge) ?? [];
  const reason = `error="insufficient_scope", error_description="${error.message}"`;
  const result = errorResult(config.prefix, error);
  const meta = { ...result.meta, 'mcp/www_authenticate': [`Bearer ${parameters}, ${reason}`] };
  return { ...result, meta, headers: { ...error.headers, 'www-authenticate': challenge } };
}
