import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { Origin } from '../../../../directory/word/field.ts';
import { wordText, type Word } from '../../../../directory/word/word.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { momentOf } from '../moment.ts';

const SPEAKERS: Readonly<Record<Origin, string>> = {
  owner: 'The venue',
  reviewer: 'One of us',
  agent: 'An agent',
  map: 'The map',
  provider: 'A provider',
};

/** Everything that was said of a place where more than its map has spoken, that first which is shown. */
export function wordsSection({ words }: Place): Html | false {
  const fields = Object.entries(words);
  if (fields.length === 0) return false;
  return html`<section class="card flow">
    <h2>Who said what</h2>
    <p class="soft">The first of each is shown. Everybody replaces only what they said themselves.</p>
    ${fields.map(
      ([field, said]) =>
        html`<h3>${sentenceCase(field)}</h3>
          <ol class="items">
            ${said.map(wordItem)}
          </ol>`,
    )}
  </section>`;
}

function wordItem(word: Word): Html {
  const submission = /^sub_\w+$/.test(word.ref);
  return html`<li>
    <bdi>${wordText(word) || 'None'}</bdi><br />
    <span class="soft"
      >${SPEAKERS[word.by]}${word.proof.startsWith('acts:') && ', through its operator'},
      ${momentOf(new Date(word.at))}</span
    >
    ${submission && html` <a href="${safeHref(`/console/review/${word.ref}`)}">Submission</a>`}
  </li>`;
}
