import type { FastifyInstance, FastifyReply } from 'fastify';
import { findRecoveryLink, useRecoveryLink } from '../../../accounts/agents/recovery-link.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { csrfField } from '../form/csrf.ts';
import { addFormPages } from '../form/form-body.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import type { Action } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import type { PageRequest } from '../person/page-request.ts';
import { addAction, addPage } from '../person/person-route.ts';
import { addPayPages } from './pay-routes.ts';
import { newKeyPage, recoverPage } from './recover-page.ts';

const RECOVER = '/recover/:token';

/** Mounts the pages for operators: get a new key by email, pay for a plan or into a wallet. Neither needs a sign-in. */
export function addAccountPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addPage(scope, deps, { path: RECOVER, who: anybody, show: showRecovery });
    addAction(scope, deps, recover);
    addPayPages(scope, deps);
  });
}

async function showRecovery({ deps, request, reply, params, now }: PageRequest): Promise<FastifyReply> {
  const token = params['token'] ?? '';
  const agent = await findRecoveryLink(deps.pool, token, now);
  if (agent === undefined) throw linkExpired();
  const csrf = csrfField(deps, request, reply);
  return sendPage(reply, recoverPage({ site: siteOf(deps), agent, action: `/recover/${token}`, csrf }));
}

const recover: Action<Anybody> = {
  name: 'use_recovery_link',
  path: RECOVER,
  who: anybody,
  async run(act) {
    const recovery = await useRecoveryLink(act.db, act, act.params['token'] ?? '');
    if (recovery === undefined) throw linkExpired();
    act.invalidateKeyCaches();
    act.audit(recovery.agent.id, { ended_key: recovery.endedKey ?? null });
    return { show: ({ deps, reply }) => sendPage(reply, newKeyPage({ site: siteOf(deps), ...recovery })) };
  },
};

function linkExpired(): AppError {
  return new AppError(
    'link_expired',
    'This link was already used, has expired, or was not copied completely.',
    { hint: 'Ask for a new one with POST /api/agent/recover. If a key was shown to you, it is valid.' },
  );
}
