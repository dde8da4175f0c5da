import type { ListedAgent } from '../../../accounts/agents/agent-roster.ts';
import { html, safeHref, type Html, type HtmlValue } from '../../../core/text/html.ts';
import { badge, card } from '../frame/components.ts';
import { definitionList, type Definition } from '../frame/definition-list.ts';
import { sentenceCase } from '../frame/wording.ts';
import { formatTime } from './moment.ts';

export function statusBadge(status: ListedAgent['status']): Html {
  return badge(status === 'active' ? 'good' : 'bad', sentenceCase(status));
}

/** Shows whether the account's email address has been verified. */
export function emailVerifiedBadge({ email_verified_at }: { email_verified_at: Date | null }): Html {
  return email_verified_at === null
    ? badge('warn', 'Mailbox not verified')
    : badge('good', 'Mailbox verified');
}

/** Lists the account's key prefix and the last use of the key. */
export function keyFacts({
  key_prefix,
  last_used_at,
}: Pick<ListedAgent, 'key_prefix' | 'last_used_at'>): Definition[] {
  return [
    ['Key', key_prefix === null ? 'no valid key' : html`<code>${key_prefix}…</code>`],
    ['Last used', last_used_at === null ? 'no call recorded yet' : formatTime(last_used_at)],
  ];
}

/** Links to a page whose URL came from a user. It sends no referrer and passes on no search ranking. */
export function untrustedLink(url: string, text = url): Html {
  return html`<a rel="noreferrer nofollow" href="${safeHref(url)}"><bdi>${text}</bdi></a>`;
}

/** Renders a page about one record in two columns: what is recorded, and the forms for what can be done. */
export function recordColumns(evidence: HtmlValue, forms: HtmlValue): Html {
  return html`<div class="review">
    <div class="evidence">${evidence}</div>
    <aside class="verdict" aria-label="What can be done">${forms}</aside>
  </div>`;
}

/** Renders the card with the record itself. */
export function recordCard(definitions: readonly Definition[], below?: Html): Html {
  return card('Record', html`${definitionList('record', definitions)} ${below}`);
}
