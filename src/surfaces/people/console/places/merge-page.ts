import type { FastifyReply } from 'fastify';
import type { Place } from '../../../../directory/place/place.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { metresApart } from '../../../../import/match/metres-apart.ts';
import { form } from '../../frame/frame.ts';
import { table } from '../../frame/table.ts';
import { formatNumber } from '../../../../core/text/format-count.ts';
import { sendConsolePage } from '../console-page.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { placeFactRows } from './place-page.ts';

/** Maximum plausible distance between two records of the same place. */
const FAR_M = 500;

/** Shows both records side by side before one of them is merged away for good. */
export function sendMergePage(
  req: PageRequest<Staff>,
  remaining: Place,
  merged: Place,
): Promise<FastifyReply> {
  const mergedFacts = placeFactRows(merged);
  return sendConsolePage(req, {
    title: 'Merge two records',
    current: '/console/places',
    lead: html`<bdi>${remaining.name}</bdi> stays and receives the values it lacks, marked green.
      <bdi>${merged.name}</bdi> is deleted and cannot be restored.`,
    notice: farNotice(remaining, merged),
    body: html`<section class="card flow">
      ${table(
        {
          className: 'diff merge',
          columns: [
            'Field',
            html`Stays: <code>${remaining.id}</code>`,
            html`Goes: <code>${merged.id}</code>`,
          ],
        },
        placeFactRows(remaining).map(([label, value], index) =>
          row(label, value, mergedFacts[index]?.[1] ?? null),
        ),
      )}
      ${form(
        req,
        `/console/places/${remaining.id}/merge`,
        html`<input type="hidden" name="merged_id" value="${merged.id}" />
          <input type="hidden" name="sure" value="yes" />
          <button class="button danger" type="submit">Merge them</button>
          <a class="button plain" href="${safeHref(`/console/places/${remaining.id}`)}"
            >Leave them as they are</a
          >`,
        { className: 'row-forms' },
      )}
    </section>`,
  });
}

function farNotice(remaining: Place, merged: Place): Notice | undefined {
  const metres = metresApart({ names: [], ...positionOf(remaining) }, { names: [], ...positionOf(merged) });
  if (metres === null || metres <= FAR_M) return undefined;
  const distance =
    metres < 10_000
      ? `${formatNumber(Math.round(metres))} m`
      : `${formatNumber(Math.round(metres / 1000))} km`;
  return { kind: 'bad', text: `These two are ${distance} apart. Are you sure that they are one place?` };
}

function positionOf({ lat, lng }: Place) {
  return { lat, lng };
}

/**
 * Marks only values that the remaining record would adopt: a colour must not suggest that the other record is better.
 */
function row(label: string, remaining: string | null, merged: string | null): Html | false {
  if (remaining === null && merged === null) return false;
  const placeholder = html`<span class="soft">nothing</span>`;
  return html`<tr class="${remaining === merged ? 'same' : remaining === null ? 'added' : 'differs'}">
    <th scope="row">${label}</th>
    <td data-label="Stays">${remaining === null ? placeholder : html`<bdi>${remaining}</bdi>`}</td>
    <td data-label="Goes">${merged === null ? placeholder : html`<bdi>${merged}</bdi>`}</td>
  </tr>`;
}
