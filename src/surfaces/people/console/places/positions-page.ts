import { z } from 'zod';
import { metresBetween } from '../../../../core/geo.ts';
import { formatNumber } from '../../../../core/text/format-count.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import { findPlace } from '../../../../directory/place/place.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { decideMove, listWaitingMoves, type PinMove } from '../../../../venue/move-pin.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, textInput } from '../../form/fields.ts';
import { emptyState, link, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { conflict, defineAction, type ActionContext } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { allStaff, reviewers, type Staff } from '../../person/people.ts';
import { pointMap, showsStreets } from '../../traveller/map/street-figure.ts';
import { formatDuration } from '../moment.ts';
import { noticeAbout, placeSubject } from '../notice-subject.ts';
import { untrustedLink } from '../record-parts.ts';

const PATH = '/console/positions';
const SHOWN_MAX = 50;

const approve = defineAction({
  name: 'approve_pin_move',
  path: `${PATH}/approve`,
  who: reviewers,
  fields: { move: hiddenInput(z.string().regex(/^\d{1,18}$/)) },
  button: 'Approve',
  done: { approved: 'The new position and address are shown. The venue can undo it.' },
  run: (act, { move }) => decide(act, move, 'approved', null),
});

const reject = defineAction({
  name: 'reject_pin_move',
  path: `${PATH}/reject`,
  who: reviewers,
  fields: {
    move: hiddenInput(z.string().regex(/^\d{1,18}$/)),
    reason: textInput(text(4, 500), {
      label: 'Why not',
      hint: 'The venue reads this.',
      maxlength: 500,
      required: true,
    }),
  },
  button: 'Reject',
  danger: true,
  done: { rejected: 'The pin stays where it was. The venue sees your reason.' },
  run: (act, { move, reason }) => decide(act, move, 'rejected', reason),
});

async function decide(
  act: ActionContext<Staff>,
  moveId: string,
  decision: 'approved' | 'rejected',
  reason: string | null,
): Promise<{ to: string }> {
  const placeId = await decideMove(act.db, act, { moveId, staffId: act.person.id, decision, reason });
  if (placeId === undefined)
    conflict('The venue has moved its pin again, or somebody has decided already. Nothing was changed.');
  act.audit(placeId, { decision });
  return { to: `${PATH}?done=${decision}&place=${placeId}` };
}

/** Pins that venues moved far from the published position, with both positions on the street map. */
export const positionsPage = definePage({
  path: PATH,
  who: allStaff,
  nav: { label: 'Positions', key: 'm' },
  follows: () => ['positions'],
  async load({ deps: { pool, streets }, query }) {
    const [moves, map, decided] = await Promise.all([
      listWaitingMoves(pool, SHOWN_MAX),
      streets.look(),
      findPlace(pool, query.get('place') ?? ''),
    ]);
    return { moves, map, decided };
  },
  view: (req, { moves, map, decided }, state) => ({
    title: 'Positions',
    notice: noticeAbout(decided && placeSubject(decided), state.notice),
    lead: 'Pins that venues moved far from the published position, and addresses that they changed. Approve what a photo, their website or another map supports.',
    scripts: ['street-map.js'],
    body:
      moves.length === 0
        ? NONE
        : html`<ul class="letters">
            ${moves.map((move) => moveItem(req, move, map, state))}
          </ul>`,
  }),
  actions: [approve, reject],
});

const NONE = emptyState(
  'No pin to check',
  'A venue that moves its pin a short way does so by itself. Longer moves and changed addresses appear here, the oldest first.',
);

function moveItem(
  req: PageRequest<Staff>,
  move: PinMove,
  map: StreetMap | undefined,
  state: PageState,
): Html {
  const { id, placeId, name, address, newAddress, from, to, askedAt } = move;
  const sent = state.form?.get('move') === id ? state : {};
  const of = { values: { move: id }, idPrefix: `move-${id}` };
  return html`<li class="card flow" id="move_${id}">
    <p class="letter-head">
      <strong>${link(`/console/places/${placeId}`, userText(name))}</strong>
      <span class="soft">waits ${formatDuration(req.now.getTime() - askedAt.getTime())}</span>
    </p>
    <div class="pin-move">
      ${
        showsStreets(map, to) &&
        pointMap({ map, point: to, before: from, label: `The old and the new position of ${name}` })
      }
      <div class="flow">
        ${definitionList('record', [
          ['Address', address === null ? 'not known' : userText(address)],
          ['New address', newAddress !== null && userText(newAddress)],
          ['Old position', from === null ? 'none' : positionLink(from)],
          ['New position', positionLink(to)],
          ['Distance', from !== null && `${formatNumber(Math.round(metresBetween(from, to)))} m`],
        ])}
        <div class="row-forms">
          ${actionForm(req, approve, {}, { ...of, buttonLabel: `Approve the move of ${name}` })}
        </div>
        ${actionForm(req, reject, sent, { ...of, buttonLabel: `Reject the move of ${name}` })}
      </div>
    </div>
  </li>`;
}

function positionLink({ lat, lng }: { lat: number; lng: number }): Html {
  return untrustedLink(
    `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=18/${lat}/${lng}`,
    `${lat}, ${lng}`,
  );
}
