import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findRecoveryLink, useRecoveryLink } from '../../../accounts/agents/recovery-link.ts';
import { recordAudit } from '../../../core/audit.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { checkCsrf, csrfField } from '../form/csrf.ts';
import { addFormPages } from '../form/form-body.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { addPayPages } from './pay-routes.ts';
import { newKeyPage, recoverPage } from './recover-page.ts';

type RecoverRequest = FastifyRequest<{ Params: { token: string } }>;

const TOKEN = /^[\w-]{43}$/;

/** What an operator does as a person: get a new key by mail, pay for a plan or into a wallet. Neither needs a sign-in. */
export function addAccountPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    scope.get('/recover/:token', (request: RecoverRequest, reply) => showRecovery(deps, request, reply));
    scope.post('/recover/:token', (request: RecoverRequest, reply) => recover(deps, request, reply));
    addPayPages(scope, deps);
  });
}

async function showRecovery(deps: Deps, request: RecoverRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { token } = request.params;
  const agent = TOKEN.test(token) ? await findRecoveryLink(deps.pool, token, deps.clock.now()) : undefined;
  if (agent === undefined) throw linkNotGood();
  const csrf = csrfField(deps, request, reply);
  return sendPage(reply, recoverPage({ site: siteOf(deps), agent, action: `/recover/${token}`, csrf }));
}

async function recover(deps: Deps, request: RecoverRequest, reply: FastifyReply): Promise<FastifyReply> {
  checkCsrf(deps, request);
  const { token } = request.params;
  const now = deps.clock.now();
  const used = await deps.pool.begin(async (sql) => {
    if (!TOKEN.test(token)) return undefined;
    const recovered = await useRecoveryLink(deps, sql, token, { now, requestId: request.id });
    if (recovered !== undefined) {
      await recordAudit(sql, {
        at: now,
        actor: `address:${request.ip}`,
        operation: 'use_recovery_link',
        requestId: request.id,
        subject: recovered.agent.id,
      });
    }
    return recovered;
  });
  if (used === undefined) throw linkNotGood();
  await deps.lease.lapsed();
  reply.header('cache-control', 'no-store');
  return sendPage(reply, newKeyPage({ site: siteOf(deps), ...used }));
}

function linkNotGood(): AppError {
  return new AppError('link_expired', 'This link was used, is too old, or was not copied whole.', {
    hint: 'Ask for a new one with POST /api/agent/recover. If the key was shown to you, it is good.',
  });
}
