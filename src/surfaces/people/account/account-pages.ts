import type { FastifyInstance } from 'fastify';
import { findRecoveryLink, useRecoveryLink } from '../../../accounts/agents/recovery-link.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { html } from '../../../core/text/html.ts';
import { codeBlock } from '../docs/code-block.ts';
import { actionForm } from '../form/action-form.ts';
import { addFormPages } from '../form/form-body.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { defineAction } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage, type Frame } from '../person/page.ts';
import { addPages } from '../person/person-route.ts';
import { payPage } from './pay-page.ts';

const RECOVER = '/recover/:token';

/** Mounts the pages for operators: get a new key by email, pay for a plan or into a wallet. Neither needs a sign-in. */
export function addAccountPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addPages(scope, deps, accountFrame, [recoverPage, payPage]);
  });
}

/** Draws pages about an agent's account, for a person with a link to it. */
const accountFrame: Frame<unknown> = ({ deps, reply }, _page, { title, body }) =>
  sendPage(
    reply,
    page({
      site: siteOf(deps),
      title,
      description: 'The account of an agent: its key, its plan and its wallet.',
      indexed: false,
      body: html`<div class="wrap page prose">
        <h1>${title}</h1>
        ${body}
      </div>`,
    }),
  );

const recover = defineAction({
  name: 'use_recovery_link',
  path: RECOVER,
  who: anybody,
  button: 'Replace the key',
  plain: false,
  async run(act) {
    const recovery = await useRecoveryLink(act.db, act, act.params['token'] ?? '');
    if (recovery === undefined) throw linkExpired();
    const { agent, endedKey, apiKey } = recovery;
    act.invalidateKeyCaches();
    act.audit(agent.id, { ended_key: endedKey ?? null });
    const body = html`<p>
        This is the key of <strong>${agent.agent_name}</strong>. The old one has stopped working.
      </p>
      ${codeBlock('API key', apiKey)}
      <p>
        <strong>Copy it now.</strong> We store only a hash of it and cannot show it again. Send it as
        <code>Authorization: Bearer</code> with every request; the <a href="/docs">API reference</a> has
        examples.
      </p>`;
    return { view: { title: 'Your new API key', body } };
  },
});

/** Page behind the link in the email. Opening it changes nothing, because mail programs open links automatically. */
const recoverPage = definePage({
  path: RECOVER,
  who: anybody,
  async load({ deps, params, now }) {
    const agent = await findRecoveryLink(deps.pool, params['token'] ?? '', now);
    if (agent === undefined) throw linkExpired();
    return agent;
  },
  view: (req, agent, state) => ({
    title: 'A new API key',
    body: html`<p>
        This gives a new key to the agent <strong>${agent.agent_name}</strong> of
        <strong>${agent.operator_name}</strong>.
      </p>
      <ul>
        <li>The old key stops working at once, wherever it is in use.</li>
        <li>The new key is shown once, on the next page. Be ready to store it in a safe place.</li>
        <li>Quota, plan and submissions stay as they are.</li>
      </ul>
      ${actionForm(req, recover, state)}
      <p class="soft">If you did not ask for this, close the page: nothing has been changed.</p>`,
  }),
  actions: [recover],
});

function linkExpired(): AppError {
  return new AppError(
    'link_expired',
    'This link was already used, has expired, or was not copied completely.',
    { hint: 'Ask for a new one with POST /api/agent/recover. If a key was shown to you, it is valid.' },
  );
}
