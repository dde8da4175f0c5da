import type { ListedAgent } from '../../../accounts/agents/agent-roster.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Definition } from '../frame/definition-list.ts';
import { sentenceCase } from '../frame/wording.ts';
import { momentOf } from './moment.ts';

export function statusBadge(status: ListedAgent['status']): Html {
  return html`<span class="badge ${status === 'active' ? 'good' : 'bad'}">${sentenceCase(status)}</span>`;
}

/** Whether somebody has proven that the mailbox of an account is theirs. */
export function mailboxBadge({ email_verified_at }: { email_verified_at: Date | null }): Html {
  return email_verified_at === null
    ? html`<span class="badge warn">Mailbox not proven</span>`
    : html`<span class="badge good">Mailbox proven</span>`;
}

/** Which key an account has, and when it was used. */
export function keyFacts({
  key_prefix,
  last_used_at,
}: Pick<ListedAgent, 'key_prefix' | 'last_used_at'>): Definition[] {
  return [
    ['Key', key_prefix === null ? 'none that works' : html`<code>${key_prefix}…</code>`],
    ['Last used', last_used_at === null ? 'never, as far as is known' : momentOf(last_used_at)],
  ];
}

/** A page that a stranger named: it is not told where its visitor comes from, and gains no standing by this. */
export function strangersLink(url: string, text = url): Html {
  return html`<a rel="noreferrer nofollow" href="${safeHref(url)}"><bdi>${text}</bdi></a>`;
}
