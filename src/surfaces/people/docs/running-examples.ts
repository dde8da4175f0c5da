import { html } from '../../../core/text/html.ts';
import { codeBlock } from './code-block.ts';
import type { Guide } from './guides.ts';
import type { ShellVariable } from './shell-variables.ts';

/** What a reader sets before pasting the commands of the page. */
export function runningExamples(variables: readonly ShellVariable[]): Guide {
  return {
    id: 'running-examples',
    title: 'Running the examples',
    words: html`<p>
        Every command on this page runs as it stands. What only you can know, it takes from the shell: set it
        once, as far as you have it.
      </p>
      <ul>
        ${variables.map(({ name, source }) => html`<li><code>${name}</code>: ${source}</li>`)}
      </ul>`,
    examples: [
      codeBlock(
        'Set once in your shell',
        variables.map(({ name, shown }) => `${name}='${shown}'`).join('\n'),
      ),
    ],
  };
}
