import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Operation } from '../../core/operation.ts';
import { bearerChallenge } from '../authenticate.ts';

export function authorize({ config }: Deps, { access }: Operation, actor: Actor): void {
  if (access.who === 'anyone') return;
  if (access.who === 'partner') {
    if (actor.kind !== 'partner')
      throw new AppError('missing_credentials', 'This needs a partner key in the X-Partner-Key header.', {
        hint: 'Get one with POST /api/partner/signup. An MCP client can connect by OAuth instead.',
      });
    if (actor.scopes === undefined || access.keyOnly !== true) return;
    throw new AppError(
      'key_required',
      'This needs the partner key itself: its effect outlasts an OAuth connection.',
      { hint: 'Get a key by mail with POST /api/partner/signup and send it in the X-Partner-Key header.' },
    );
  }
  if (actor.kind !== 'agent')
    throw new AppError('missing_credentials', 'This operation needs an API key, or on MCP an access token.', {
      hint: 'Sign up at POST /api/agent/signup and send the key as a bearer token. An MCP client can connect by OAuth instead.',
      headers: { 'www-authenticate': bearerChallenge(config, 'agent') },
    });
  if (actor.scopes === undefined) return;
  if (access.keyOnly === true)
    throw new AppError('key_required', 'This concerns money or the key, so it needs the API key itself.', {
      hint: 'Get a key by mail with POST /api/agent/recover and send it as Authorization: Bearer.',
    });
  if (!actor.scopes.includes(access.scope)) {
    throw new AppError('insufficient_scope', `This token lacks the scope ${config.prefix}.${access.scope}.`, {
      hint: 'Ask the person for authorization again, with that scope.',
      headers: { 'www-authenticate': bearerChallenge(config, 'agent', 'insufficient_scope', [access.scope]) },
    });
  }
}
