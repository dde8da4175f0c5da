import type { HiddenTextLine } from '../../../core/audit.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { sentenceCase } from '../frame/wording.ts';
import { formatTime } from './moment.ts';

/** Lists the hidden text that was removed from a submission because no person would have seen it. */
export function hiddenTextSection(lines: readonly HiddenTextLine[]): Html | false {
  if (lines.length === 0) return false;
  return html`<section class="card flow" aria-labelledby="hidden-text">
    <h2 id="hidden-text">Hidden text was removed</h2>
    <p class="soft">
      Characters that are invisible to people but read by programs. They are stored nowhere else; text spelled
      with tag characters is in quotation marks. It may be an editing accident, or an attempt to instruct a
      model.
    </p>
    <ul class="items">
      ${lines.map(
        ({ at, operation, hidden_text }) =>
          html`<li>
            <bdi>${hidden_text}</bdi><br /><span class="soft"
              >${sentenceCase(operation)}, ${formatTime(at)}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
