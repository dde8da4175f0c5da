import type { RecoverableAgent } from '../../../accounts/agents/recovery-link.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { codeBlock } from '../docs/code-block.ts';
import type { Site } from '../frame/layout.ts';
import { accountPage } from './account-page.ts';

/** Page behind the link in the email. Opening it changes nothing, because mail programs open links automatically. */
export function recoverPage(model: {
  site: Site;
  agent: RecoverableAgent;
  action: string;
  csrf: Html;
}): string {
  const { site, agent, action, csrf } = model;
  return accountPage({
    site,
    title: 'A new API key',
    description: 'Replaces the API key of an agent.',
    body: html`<p>
        This gives a new key to the agent <strong>${agent.agent_name}</strong> of
        <strong>${agent.operator_name}</strong>.
      </p>
      <ul>
        <li>The old key stops working at once, wherever it is in use.</li>
        <li>The new key is shown once, on the next page. Be ready to store it in a safe place.</li>
        <li>Quota, plan and submissions stay as they are.</li>
      </ul>
      <form method="post" action="${action}">
        ${csrf}
        <button class="button" type="submit">Replace the key</button>
      </form>
      <p class="soft">If you did not ask for this, close the page: nothing has been changed.</p>`,
  });
}

export function newKeyPage(model: { site: Site; agent: RecoverableAgent; apiKey: string }): string {
  const { site, agent, apiKey } = model;
  return accountPage({
    site,
    title: 'Your new API key',
    description: 'The new API key of an agent, shown once.',
    body: html`<p>
        This is the key of <strong>${agent.agent_name}</strong>. The old one has stopped working.
      </p>
      ${codeBlock('API key', apiKey)}
      <p>
        <strong>Copy it now.</strong> We store only a hash of it and cannot show it again. Send it as
        <code>Authorization: Bearer</code> with every request; the <a href="/docs">API reference</a> has
        examples.
      </p>`,
  });
}
