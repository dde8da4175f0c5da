import type { HiddenTextLine } from '../../../core/audit.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { card, itemList, softText } from '../frame/components.ts';
import { sentenceCase } from '../frame/wording.ts';
import { formatTime } from './moment.ts';

/** Lists the hidden text that was removed from a submission because no person would have seen it. */
export function hiddenTextSection(lines: readonly HiddenTextLine[]): Html | false {
  if (lines.length === 0) return false;
  return card(
    'Hidden text was removed',
    html`<p class="soft">
        Characters that are invisible to people but read by programs. They are stored nowhere else; text
        spelled with tag characters is in quotation marks. It may be an editing accident, or an attempt to
        instruct a model.
      </p>
      ${itemList(
        lines.map(
          ({ at, operation, hidden_text }) =>
            html`<bdi>${hidden_text}</bdi
              ><br />${softText(html`${sentenceCase(operation)}, ${formatTime(at)}`)}`,
        ),
      )}`,
    'hidden-text',
  );
}
