import { refuseContacts } from '../../../../core/text/contact/contact-data.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { line } from '../../../../core/text/text.ts';
import { FREE_METRES, latestMove, movePin, withdrawMove, type PinMove } from '../../../../venue/move-pin.ts';
import { actionForm, formFields } from '../../form/action-form.ts';
import { textInput } from '../../form/fields.ts';
import { positionInputs, positionValues } from '../../form/position-inputs.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { pinEditor, pointMap, showsStreets } from '../../traveller/map/street-figure.ts';

const PATH = '/venue/position';
const ADDRESS_MAX = 300;

const save = defineAction({
  name: 'move_pin',
  path: PATH,
  who: venue,
  fields: {
    address: textInput(line(0, ADDRESS_MAX), {
      label: 'Address',
      hint: 'Street and number, as on your letters. Somebody checks a new address before it is shown.',
      autocomplete: 'street-address',
      maxlength: ADDRESS_MAX,
    }),
    ...positionInputs,
  },
  done: { waiting: 'We have your new position.' },
  async run(act, { address, lat, lng }) {
    refuseContacts({ address });
    const { place, destination } = act.person;
    const outcome = await movePin(act.db, act, { placeId: place.id, destination, to: { lat, lng }, address });
    switch (outcome) {
      case 'outside':
        return refuse({
          faults: {
            lat: `This is outside ${destination.name}. Check both numbers. If you have moved there, write to ${act.deps.config.contactEmail}.`,
          },
        });
      case 'waiting':
        return { done: 'waiting' };
      case 'unchanged':
        act.unchanged();
        return { to: '/venue' };
      case 'moved':
        return { to: '/venue?done=position' };
    }
  },
});

const takeBack = defineAction({
  name: 'withdraw_pin_move',
  path: `${PATH}/withdraw`,
  who: venue,
  button: 'Take it back',
  done: { withdrawn: 'Your pin stays where it is.', decided: 'Somebody has decided about it already.' },
  async run(act) {
    const { id } = act.person.place;
    const wasWaiting = await withdrawMove(act.db, act.now, id);
    if (wasWaiting) act.audit(id);
    else act.unchanged();
    return { done: wasWaiting ? 'withdrawn' : 'decided' };
  },
});

/** The venue's pin on the street map. */
export const venuePositionPage = definePage({
  path: PATH,
  follows: ({ person }) => [person.place.id],
  who: venue,
  async load({ deps, person: { place } }) {
    const [streets, move] = await Promise.all([deps.streets.look(), latestMove(deps.pool, place.id)]);
    return { streets, move };
  },
  view(req, { streets, move }, state) {
    const { place, destination } = req.person;
    const { lat, lng } = place;
    const point = lat === null || lng === null ? undefined : { lat, lng };
    const shown = point ?? { lat: destination.lat, lng: destination.lng };
    const hasStreets = showsStreets(streets, shown);
    const values = { address: place.address, ...positionValues(point) };
    const controls = html`${hasStreets && pinEditor(streets, shown, point !== undefined)}
      ${!hasStreets && NO_STREETS} ${formFields(save, state, { values, fields: { lat: false, lng: false } })}
      <div class="coordinates">${formFields(save, state, { values, fields: { address: false } })}</div>
      <p class="actions">
        <button class="button" type="submit">Save position</button>
        <a href="/venue">Back without saving</a>
      </p>`;
    const confirmLeave = state.form === undefined ? 'changes' : 'unsaved';
    return {
      title: 'Address and position',
      lead: `Put the pin on your entrance. A move of up to ${FREE_METRES} m is shown at once; somebody checks a longer one and a new address first, so that nobody can send your guests elsewhere.`,
      body: html`${move !== undefined && moveNotice(req, move, hasStreets && streets)}
      ${form(req, PATH, controls, { confirmLeave, className: 'flow' })}`,
      scripts: ['unsaved.js', 'street-map.js', 'pin-editor.js'],
    };
  },
  actions: [save, takeBack],
});

const NO_STREETS = html`<p class="hint">
  There is no street map of this place here. Most map apps show both numbers when you press and hold your
  entrance.
</p>`;

function moveNotice(
  req: PageRequest<Venue>,
  { state, from, to, newAddress, reason }: PinMove,
  streets: Parameters<typeof pointMap>[0]['map'] | false,
): Html | false {
  if (state === 'rejected')
    return html`<p class="notice warn">
      Your last change was not accepted${reason !== null && html`: <bdi>${reason}</bdi>`}. Address and pin
      stay as they were.
    </p>`;
  if (state !== 'waiting') return false;
  const unsent: PageState = {};
  return html`<section class="card flow" aria-labelledby="waiting">
    <h2 id="waiting">We are checking your new position</h2>
    ${
      streets !== false &&
      pointMap({ map: streets, point: to, before: from, label: 'The old and the new position' })
    }
    ${newAddress !== null && html`<p><bdi>${newAddress}</bdi></p>`}
    <p>${to.lat}, ${to.lng}. Until somebody has checked it, travellers see the old one.</p>
    ${actionForm(req, takeBack, unsent)}
  </section>`;
}
