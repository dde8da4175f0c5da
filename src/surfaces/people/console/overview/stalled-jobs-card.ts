import { html, type Html } from '../../../../core/text/html.ts';
import type { StalledRunner } from '../../../../jobs/dead-runners.ts';
import type { Kind } from '../../../../jobs/kinds.ts';
import { formatTime } from '../moment.ts';

/** Consequence of a stalled job kind. */
const WAITING: Record<Kind, string> = {
  asking: 'Table requests are not processed.',
  asking_by_system: 'Requests to booking systems of venues are not sent.',
  asking_by_mail: 'Venues are not asked by mail.',
  asking_by_text: 'Venues are not asked by text message.',
  telling: 'Webhooks to partners and callbacks to agents are not sent.',
  mail: 'Sign-in links, codes and notices are not mailed.',
  photos: 'Uploaded photos are not processed.',
  upkeep: 'Housekeeping is not done.',
};

/** Lists the job kinds that have stalled on some node. Empty while all of them run. */
export function stalledJobsCard(stalled: readonly StalledRunner[]): Html {
  if (stalled.length === 0) return html``;
  return html`<section class="card flow" aria-labelledby="stalled-jobs">
    <h2 id="stalled-jobs">Some background work is stalled</h2>
    <ul>
      ${stalled.map(
        ({ node, kind, stalled_since }) =>
          html`<li>
            ${WAITING[kind]} <span class="soft">Since ${formatTime(stalled_since)} on ${node}.</span>
          </li>`,
      )}
    </ul>
    <p>
      The service tries to restart it every 15 seconds. If this message stays for more than a minute, restart
      that node; no waiting work is lost.
    </p>
  </section>`;
}
