import type { IncomingHttpHeaders } from 'node:http';
import type { Deps, Surface } from '../../core/context.ts';
import type { AppError } from '../../core/errors.ts';
import { bearerChallenge } from '../authenticate.ts';
import { errorResult, type ToolResult } from './tool.ts';

/** Hosts that show their sign-in only for a challenge in a tool's result, by their User-Agent. */
const SIGN_IN_BY_RESULT = /^openai-mcp\b/i;

/** Refusal with the challenge for such a host; undefined for others and for an invalid token. */
export function signInResult(
  config: Deps['config'],
  surface: Surface,
  headers: IncomingHttpHeaders,
  error: AppError,
): ToolResult | undefined {
  if (surface === 'reserve' || !SIGN_IN_BY_RESULT.test(headers['user-agent'] ?? '')) return undefined;
  if (error.code !== 'missing_credentials' && error.code !== 'insufficient_scope') return undefined;
  const challenge = error.headers['www-authenticate'] ?? bearerChallenge(config, surface);
  // Such a host needs the missing scope in every challenge, also when no credential was sent.
  const [, parameters = ''] = /^Bearer (?:error="\w+", )?(.*)$/.exec(challenge) ?? [];
  const reason = `error="insufficient_scope", error_description="${error.message}"`;
  const result = errorResult(config.prefix, error);
  const meta = { ...result.meta, 'mcp/www_authenticate': [`Bearer ${parameters}, ${reason}`] };
  return { ...result, meta, headers: { ...error.headers, 'www-authenticate': challenge } };
}
