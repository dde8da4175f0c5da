import type { ListedAgent } from '../../../accounts/agents/agent-roster.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Definition } from '../frame/definition-list.ts';
import { sentenceCase } from '../frame/wording.ts';
import { formatTime } from './moment.ts';

export function statusBadge(status: ListedAgent['status']): Html {
  return html`<span class="badge ${status === 'active' ? 'good' : 'bad'}">${sentenceCase(status)}</span>`;
}

/** Shows whether the account's email address has been verified. */
export function emailVerifiedBadge({ email_verified_at }: { email_verified_at: Date | null }): Html {
  return email_verified_at === null
    ? html`<span class="badge warn">Mailbox not verified</span>`
    : html`<span class="badge good">Mailbox proven</span>`;
}

/** Lists the account's key prefix and the last use of the key. */
export function keyFacts({
  key_prefix,
  last_used_at,
}: Pick<ListedAgent, 'key_prefix' | 'last_used_at'>): Definition[] {
  return [
    ['Key', key_prefix === null ? 'none that works' : html`<code>${key_prefix}…</code>`],
    ['Last used', last_used_at === null ? 'never, as far as we know' : formatTime(last_used_at)],
  ];
}

/** Links to a page whose URL came from a user. It sends no referrer and passes on no search ranking. */
export function untrustedLink(url: string, text = url): Html {
  return html`<a rel="noreferrer nofollow" href="${safeHref(url)}"><bdi>${text}</bdi></a>`;
}
