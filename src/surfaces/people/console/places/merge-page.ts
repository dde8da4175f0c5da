import type { FastifyReply } from 'fastify';
import type { Place } from '../../../../directory/place/place.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { metresBetween } from '../../../../import/match/metres-between.ts';
import { form } from '../../frame/frame.ts';
import { table } from '../../frame/table.ts';
import { figure } from '../../frame/wording.ts';
import { sendConsolePage } from '../console-page.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { factsOf } from './place-page.ts';

/** Two records further apart than this are hardly one place. */
const FAR_M = 500;

/** Both records side by side, before one of them goes for good. */
export function sendMergePage(req: PageRequest<Staff>, kept: Place, merged: Place): Promise<FastifyReply> {
  const theirs = factsOf(merged);
  return sendConsolePage(req, {
    title: 'Merge two records',
    current: '/console/places',
    lead: html`<bdi>${kept.name}</bdi> stays and takes what it lacks, marked green.
      <bdi>${merged.name}</bdi> goes, and cannot be brought back.`,
    notice: farNotice(kept, merged),
    body: html`<section class="card flow">
      ${table(
        {
          className: 'diff merge',
          columns: ['Field', html`Stays: <code>${kept.id}</code>`, html`Goes: <code>${merged.id}</code>`],
        },
        factsOf(kept).map(([label, value], index) => row(label, value, theirs[index]?.[1] ?? null)),
      )}
      ${form(
        req,
        `/console/places/${kept.id}/merge`,
        html`<input type="hidden" name="merged_id" value="${merged.id}" />
          <input type="hidden" name="sure" value="yes" />
          <button class="button danger" type="submit">Merge them</button>
          <a class="button plain" href="${safeHref(`/console/places/${kept.id}`)}"
            >Leave them as they are</a
          >`,
        { className: 'row-forms' },
      )}
    </section>`,
  });
}

function farNotice(kept: Place, merged: Place): Notice | undefined {
  const metres = metresBetween({ names: [], ...positionOf(kept) }, { names: [], ...positionOf(merged) });
  // Without both positions nothing can be said of the distance.
  if (metres === null || metres <= FAR_M) return undefined;
  const apart =
    metres < 10_000 ? `${figure(Math.round(metres))} m` : `${figure(Math.round(metres / 1000))} km`;
  return { kind: 'bad', text: `These two lie ${apart} apart. Are you sure that they are one place?` };
}

function positionOf({ lat, lng }: Place) {
  return { lat, lng };
}

/** Only what the record that stays would take is marked: no colour may say that what goes is the better one. */
function row(label: string, kept: string | null, merged: string | null): Html | false {
  if (kept === null && merged === null) return false;
  const nothing = html`<span class="soft">nothing</span>`;
  return html`<tr class="${kept === merged ? 'same' : kept === null ? 'added' : 'differs'}">
    <th scope="row">${label}</th>
    <td data-label="Stays">${kept === null ? nothing : html`<bdi>${kept}</bdi>`}</td>
    <td data-label="Goes">${merged === null ? nothing : html`<bdi>${merged}</bdi>`}</td>
  </tr>`;
}
