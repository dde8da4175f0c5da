import type { PrintedCommand } from '../../../../core/installation.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { definePage } from '../../person/page.ts';
import { ALL_ROLES, staff } from '../../person/people.ts';
import { listSetUpItems, SET_UP_PATH, type SetUpItem } from './set-up.ts';
import { badge } from '../../frame/components.ts';

/** Lists what this installation has set up and what is missing. */
export const setUpPage = definePage({
  path: SET_UP_PATH,
  who: staff(ALL_ROLES),
  nav: { label: 'Set-up', key: 'e' },
  load: ({ deps }) => listSetUpItems(deps),
  view: (_req, items) => ({
    title: 'Set-up',
    lead: 'What is set up here, what is not, and what to do. The settings are described in .env.example and docs/operations.md.',
    body: html`<ul class="letters">
      ${items.map(itemCard)}
    </ul>`,
  }),
});

const BADGES: Readonly<Record<SetUpItem['state'], readonly [kind: string, word: string]>> = {
  ready: ['good', 'Set up'],
  test: ['warn', 'For trying out'],
  missing: ['bad', 'Not set up'],
};

function itemCard({ name, state, now, todo, type }: SetUpItem): Html {
  const [kind, word] = BADGES[state];
  return html`<li class="card flow">
    <h2>${name} ${badge(kind, word)}</h2>
    <p>${now}</p>
    ${todo !== undefined && html`<p><strong>What to do:</strong> ${todo}</p>`}
    ${type !== undefined && commandBlock(type)}
  </li>`;
}

function commandBlock({ command, note }: PrintedCommand): Html {
  return html`<p>In the folder of the service:</p>
    <pre class="letter"><code>${command}</code></pre>
    ${note !== undefined && html`<p>${note}</p>`}`;
}
