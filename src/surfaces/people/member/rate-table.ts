import { z } from 'zod';
import { html, type Html } from '../../../core/text/html.ts';
import type { MemberTable } from '../../../members/list-tables.ts';
import type { Member } from '../../../members/member.ts';
import { rateTable, STARS_MAX } from '../../../members/place-rating.ts';
import { actionForm } from '../form/action-form.ts';
import type { FormField } from '../form/fields.ts';
import { defineAction, refuse } from '../person/action.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';

/** Plain radio buttons, which work by touch, by keyboard and without JavaScript. The hint names the place. */
const starsInput: FormField<z.ZodType<number>> = {
  schema: z
    .string()
    .regex(/^[1-5]$/)
    .transform(Number),
  error: `Choose 1 to ${STARS_MAX} stars. Nothing was changed.`,
  render: ({ name, label, hint, value: stars, fault }) =>
    html`<fieldset class="stars">
      <legend>${label}<span class="unseen"> (${hint})</span></legend>
      ${fault !== undefined && html`<p class="fault">${fault}</p>`}
      ${Array.from({ length: STARS_MAX }, (_, i) => String(i + 1)).map(
        (value) =>
          html`<label
            ><input
              type="radio"
              name="${name}"
              value="${value}"
              required
              ${value === stars && html` checked`}
            />
            <span
              >${value}<span aria-hidden="true"> ★</span
              ><span class="unseen"> of ${STARS_MAX} stars</span></span
            ></label
          >`,
      )}
    </fieldset>`,
};

export const rateOwnTable = defineAction({
  name: 'rate_table',
  path: '/member/tables/:bookingId/rate',
  who: member,
  fields: { stars: starsInput },
  done: 'Thank you. Your rating counts; nobody sees that it is yours.',
  async run(act, { stars }) {
    const bookingId = act.params['bookingId'] ?? '';
    const text = 'Only a confirmed table of yours whose time has passed can be rated. Nothing was changed.';
    if (!(await rateTable(act.db, { memberId: act.person.id, bookingId, stars, now: act.now })))
      refuse({ notice: { kind: 'bad', text } });
    act.audit(bookingId);
    return { done: true };
  },
});

export function ratingForm(
  req: PageRequest<Member>,
  { stars, placeName }: MemberTable,
  state: PageState,
): Html | false {
  const rated = stars !== null;
  return actionForm(req, rateOwnTable, state, {
    values: { stars: rated ? String(stars) : '' },
    fields: { stars: { label: rated ? 'Your rating' : 'How was it?', hint: placeName ?? '' } },
    button: rated ? 'Change the rating' : 'Rate',
    className: 'card flow',
  });
}
