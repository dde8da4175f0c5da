import { html, type Html } from '../../../../core/text/html.ts';
import { ADDRESS_MAX } from '../../../../core/text/limits.ts';
import { line } from '../../../../core/text/text.ts';
import { FREE_METRES, latestMove, movePin, withdrawMove, type PinMove } from '../../../../venue/move-pin.ts';
import { actionForm, formFields } from '../../form/action-form.ts';
import { textInput } from '../../form/fields.ts';
import { DEGREES, positionInputs, positionValues } from '../../form/position-inputs.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { pinEditor, pointMap, showsStreets } from '../../traveller/map/street-figure.ts';
import {
  areaLanguage,
  areaNotice,
  refuseContactsIn,
  withFaults,
  type AreaLanguage,
  type AreaText,
} from '../language/area-language.ts';
import { venueFrame } from './venue-menu.ts';

const PATH = '/venue/position';

const save = defineAction({
  name: 'move_pin',
  path: PATH,
  who: venue,
  fields: {
    address: textInput(line(0, ADDRESS_MAX), {
      label: 'Address',
      autocomplete: 'street-address',
      maxlength: ADDRESS_MAX,
    }),
    ...positionInputs,
  },
  async run(act, { address, lat, lng }) {
    const language = areaLanguage(act);
    refuseContactsIn('address', address, ADDRESS_MAX, language);
    const { place, destination } = act.person;
    const outcome = await movePin(act.db, act, { placeId: place.id, destination, to: { lat, lng }, address });
    switch (outcome) {
      case 'outside':
        return refuse({
          faults: {
            lat: language.area('fault.outside', {
              town: destination.name,
              email: act.deps.config.contactEmail,
            }),
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
    const language = areaLanguage(req);
    const { area } = language;
    const { lat, lng } = place;
    const point = lat === null || lng === null ? undefined : { lat, lng };
    const shown = point ?? { lat: destination.lat, lng: destination.lng };
    const hasStreets = showsStreets(streets, shown);
    const values = { address: place.address, ...positionValues(point) };
    const marked = withFaults(state, faultTexts(language));
    const address = { label: area('field.address'), hint: area('position.addressHint') };
    const [north, east] = [coordinateTexts('lat', area), coordinateTexts('lng', area)];
    const controls = html`${
        hasStreets &&
        pinEditor(streets, shown, point !== undefined, {
          pin: area('position.pin'),
          around: area('position.around'),
          moved: area('position.moved', { metres: '{metres}' }),
        })
      }
      ${!hasStreets && html`<p class="hint">${area('position.noStreets')}</p>`}
      ${formFields(save, marked, { values, fields: { address, lat: false, lng: false } })}
      <div class="coordinates">
        ${formFields(save, marked, { values, fields: { address: false, lat: north, lng: east } })}
      </div>
      <p class="actions">
        <button class="button" type="submit">${area('position.save')}</button>
        <a href="/venue">${area('backUnsaved')}</a>
      </p>`;
    const confirmLeave = state.form === undefined ? 'changes' : 'unsaved';
    return {
      language: venueFrame(req, PATH),
      title: area('position.title'),
      lead: area('position.lead', { metres: FREE_METRES }),
      notice: areaNotice(req, state, {
        waiting: area('done.position'),
        withdrawn: area('done.withdrawn'),
        decided: area('done.decided'),
      }),
      body: html`${move !== undefined && moveNotice(req, move, hasStreets && streets, area)}
      ${form(req, PATH, controls, { confirmLeave, className: 'flow' })}`,
      scripts: ['unsaved.js', 'street-map.js', 'pin-editor.js'],
    };
  },
  actions: [save, takeBack],
});

function coordinateTexts(name: keyof typeof DEGREES, area: AreaText) {
  const { example } = DEGREES[name];
  return { label: area(`position.${name}`), hint: area('position.example', { example }) };
}

function faultTexts({ area }: AreaLanguage): Readonly<Record<string, string>> {
  const degrees = (name: keyof typeof DEGREES) => area('fault.degrees', DEGREES[name]);
  return { address: area('fault.contact', { max: ADDRESS_MAX }), lat: degrees('lat'), lng: degrees('lng') };
}

function moveNotice(
  req: PageRequest<Venue>,
  { state, from, to, newAddress, reason }: PinMove,
  streets: Parameters<typeof pointMap>[0]['map'] | false,
  area: AreaText,
): Html | false {
  if (state === 'rejected')
    return html`<p class="notice warn">
      ${area('position.rejected')} ${reason !== null && html`<bdi>${reason}</bdi>`} ${area('position.stays')}
    </p>`;
  if (state !== 'waiting') return false;
  const unsent: PageState = {};
  return html`<section class="card flow" aria-labelledby="waiting">
    <h2 id="waiting">${area('position.waiting')}</h2>
    ${streets !== false && pointMap({ map: streets, point: to, before: from, label: area('position.both') })}
    ${newAddress !== null && html`<p><bdi>${newAddress}</bdi></p>`}
    <p><bdi>${to.lat}, ${to.lng}</bdi></p>
    <p>${area('position.old')}</p>
    ${actionForm(req, takeBack, unsent, { button: area('position.takeBack') })}
  </section>`;
}
