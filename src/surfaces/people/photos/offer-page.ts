import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { amountOf, usd } from '../../../core/text/money.ts';
import { priceAfter } from '../../../licensing/price.ts';
import { USES, type Use } from '../../../licensing/use.ts';
import type { Member } from '../../../members/member.ts';
import { CHECK_REASONS, isCheckReason } from '../../../photos/check-photo.ts';
import { goLive } from '../../../photos/drop.ts';
import { findCheckedPhoto, findMemberPhoto, type ListedPhoto } from '../../../photos/list-photos.ts';
import { captionPhoto, offerPhoto } from '../../../photos/offer-photo.ts';
import {
  CAPTION_MAX,
  DROP_CAP_MAX,
  isDropRunning,
  mayMovePhoto,
  movePhoto,
  PRICE_MAX_CENTS,
} from '../../../photos/photo.ts';
import { OTHERS_MIN, suggestPrices, type SuggestedPrice } from '../../../photos/suggested-prices.ts';
import { refusalText } from '../../../photos/pipeline/refusal.ts';
import { actionForm } from '../form/action-form.ts';
import { checkInput, moneyInput, numberInput, textInput } from '../form/fields.ts';
import { card, noteCard } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import { conflict, defineAction, refuse } from '../person/action.ts';
import { definePage, ofAccount } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { thumbnail } from './mine-page.ts';
import { dropLine, formatMonth, stateBadge, suggestionWords, USE_LABELS } from './photo-words.ts';

const PATH = '/photos/mine/:id';
const GONE = 'This photo is no longer offered. Nothing was changed.';

function priceInput(use: Use, more = '') {
  const { label, hint } = USE_LABELS[use];
  const input = moneyInput({ min: 1, max: PRICE_MAX_CENTS }, { label, hint: hint + more });
  return { ...input, schema: input.schema.nullable() };
}

const offer = defineAction({
  name: 'offer_photo',
  path: `${PATH}/offer`,
  who: member,
  title: 'Prices',
  help: `In US dollars for one licence, such as 5.00, up to ${usd(PRICE_MAX_CENTS)}. Leave a use empty if you do not offer it.`,
  fields: {
    price_social: priceInput('social'),
    price_web: priceInput('web'),
    price_ad: priceInput('ad'),
    ai_training: checkInput('Also offer it for AI training'),
    price_ai_training: priceInput('ai_training', ' Applies only if the option above is on.'),
    drop_cap: numberInput(z.int().min(1).max(DROP_CAP_MAX), {
      label: 'Licences in a drop',
      hint: `1 to ${DROP_CAP_MAX}.`,
      maxlength: 3,
    }),
  },
  button: 'Save prices',
  plain: true,
  done: 'Prices and drop size are saved.',
  async run(act, { price_social, price_web, price_ad, ai_training, price_ai_training, drop_cap }) {
    const { id } = await ownPhoto(act.db, act);
    if (ai_training && price_ai_training === null)
      refuse({ faults: { price_ai_training: 'Set a price, or switch AI training off.' } });
    const prices = {
      social: price_social,
      web: price_web,
      ad: price_ad,
      ai_training: ai_training ? price_ai_training : null,
    };
    const outcome = await offerPhoto(act.db, id, { prices, dropCap: drop_cap, now: act.now });
    if (outcome === 'live')
      conflict('A drop is running: its prices and size cannot change until it ends. Nothing was changed.');
    if (outcome === 'gone') conflict(GONE);
    act.audit(id, {
      social_cents: prices.social,
      web_cents: prices.web,
      ad_cents: prices.ad,
      ai_training_cents: prices.ai_training,
      drop_cap,
    });
  },
});

const LIVE_REFUSALS = {
  running: 'The drop is already running.',
  not_approved: 'A person has to approve the photo first. Nothing was changed.',
  no_price: 'Set a price for at least one use first.',
  no_place: 'The place of this photo is no longer in the directory, so it cannot be offered.',
} as const;

const start = defineAction({
  name: 'start_drop',
  path: `${PATH}/live`,
  who: member,
  title: 'Go live',
  button: 'Go live',
  done: 'The drop is running. Agents can license the photo for the next three days.',
  async run(act) {
    const photo = await ownPhoto(act.db, act);
    const outcome = await goLive(act.db, act.now, photo);
    if (outcome !== 'live') conflict(LIVE_REFUSALS[outcome]);
    act.audit(photo.id, { drop_number: photo.drop_number + 1, drop_cap: photo.drop_cap });
  },
});

const caption = defineAction({
  name: 'caption_photo',
  path: `${PATH}/caption`,
  who: member,
  fields: {
    caption: {
      ...textInput(
        z
          .string()
          .overwrite((text) => text.replaceAll(/\p{Cc}+/gu, ' ').trim())
          .max(CAPTION_MAX),
        {
          label: 'Caption',
          hint: 'One line about what it shows. It is checked with the photo and cannot change after that.',
          maxlength: CAPTION_MAX,
        },
      ),
      error: `This must be at most ${CAPTION_MAX} characters.`,
    },
  },
  button: 'Save caption',
  done: 'The caption is saved.',
  async run(act, { caption: text }) {
    const { id } = await ownPhoto(act.db, act);
    if (!(await captionPhoto(act.db, id, text, act.now)))
      conflict(
        'The photo was checked together with its caption, which can no longer change. Nothing was changed.',
      );
    act.audit(id);
  },
});

const withdraw = defineAction({
  name: 'withdraw_photo',
  path: `${PATH}/withdraw`,
  who: member,
  button: 'Withdraw this photo',
  danger: true,
  confirm: 'It is no longer shown or sold, and this cannot be undone. Licences that were sold stay valid.',
  async run(act) {
    const { id } = await ownPhoto(act.db, act);
    const move = { to: 'withdrawn', by: 'photographer', now: act.now } as const;
    if (!(await movePhoto(act.db, id, move))) conflict(GONE);
    act.audit(id);
    return { to: '/photos/mine?done=withdrawn' };
  },
});

/** One photo: its state, its prices and its drop. */
export const offerPage = definePage({
  path: PATH,
  ...ofAccount(member),
  async load(req) {
    const photo = await ownPhoto(req.deps.pool, req);
    const rejected = photo.state === 'rejected';
    const check = rejected ? await findCheckedPhoto(req.deps.pool, photo.id) : undefined;
    const suggested = await suggestPrices(req.deps.pool, {
      placeId: photo.place?.id ?? null,
      memberId: photo.member_id,
    });
    return { photo, suggested, reason: check?.check?.reason ?? '' };
  },
  view: (req, { photo, suggested, reason }, state) => ({
    title: photo.place?.name ?? 'Photo',
    lead: html`${stateBadge(photo, req.now)}
    ${photo.month !== null && `Taken in ${formatMonth(photo.month)}.`}
    ${photo.ends_at !== null && html`${dropLine(photo, req.now)}.`}`,
    body: html`<div class="offer">
      <figure class="card">
        ${thumbnail(photo)}
        <figcaption>
          ${photo.caption !== '' && html`<span dir="auto">${photo.caption}</span>`}
          ${
            photo.width !== null &&
            html`<span class="soft">${photo.width} × ${photo.height} pixels in full size</span>`
          }
        </figcaption>
      </figure>
      <div class="flow">${sections(req, { photo, suggested, reason }, state)}</div>
    </div>`,
  }),
  actions: [offer, start, caption, withdraw],
});

/** Returns the photo named by the URL if it belongs to this member. */
export async function ownPhoto(
  db: Db,
  { person, params }: Pick<PageRequest<Member>, 'person' | 'params'>,
): Promise<ListedPhoto> {
  const photo = await findMemberPhoto(db, person.id, params['id'] ?? '');
  if (photo === undefined) throw new AppError('photo_not_found', 'You have no photo with this id.');
  return photo;
}

interface Shown {
  photo: ListedPhoto;
  suggested: Partial<Record<Use, SuggestedPrice>>;
  /** Why it was rejected. */
  reason: string;
}

function sections(req: PageRequest<Member>, { photo, suggested, reason }: Shown, pageState: PageState): Html {
  const { state } = photo;
  if (state === 'refused') return noteCard(refusalText(photo.refusal ?? ''));
  if (state === 'rejected')
    return card('It cannot be used', html`<p>${isCheckReason(reason) && CHECK_REASONS[reason].told}</p>`);
  if (state === 'withdrawn') return noteCard('You withdrew this photo. It is no longer shown or sold.');
  const running = isDropRunning(photo, req.now);
  const beingChecked = state === 'processing' || state === 'to_check';
  const mayWithdraw = mayMovePhoto(state, 'withdrawn', 'photographer');
  return html`${!beingChecked && !running && liveSection(req, photo, pageState)}
  ${running ? runningSection(photo) : actionForm(req, offer, pageState, { values: offerValues(photo, suggested), fields: priceHints(suggested), more: noSuggestion(suggested) })}
  ${
    beingChecked &&
    actionForm(req, caption, pageState, { values: { caption: photo.caption }, className: 'card flow' })
  }
  ${mayWithdraw && actionForm(req, withdraw, pageState, { className: 'card' })}`;
}

function liveSection(req: PageRequest<Member>, photo: ListedPhoto, state: PageState): Html {
  const title = photo.drop_number === 0 ? 'Go live' : 'Another drop';
  const help = `For three days agents can buy up to ${photo.drop_cap} licences. The price of every use rises by 10% after each. Prices cannot change while the drop runs.`;
  const priced = USES.some((use) => photo[`price_${use}`] !== null);
  if (priced) return html`${actionForm(req, start, state, { title, help })}`;
  return card(
    title,
    html`<p class="soft">${help}</p>
      <p>Set a price for at least one use first.</p>`,
  );
}

/** Says beside each price what others ask. */
function priceHints(suggested: Shown['suggested']) {
  return Object.fromEntries(
    USES.flatMap((use) => {
      const price = suggested[use];
      if (price === undefined) return [];
      return [[`price_${use}`, { hint: `${USE_LABELS[use].hint} ${suggestionWords(price)}` }]];
    }),
  );
}

/** Says why no price is suggested. */
function noSuggestion(suggested: Shown['suggested']): Html | false {
  return (
    Object.keys(suggested).length === 0 &&
    html`<p class="hint">
      No price is suggested yet: that takes the prices of ${OTHERS_MIN} photos by others.
    </p>`
  );
}

/** Values of the form: the stored prices, or for a photo that has none yet, those that are suggested. */
function offerValues(photo: ListedPhoto, suggested: Shown['suggested']) {
  const isNew = photo.drop_number === 0 && USES.every((use) => photo[`price_${use}`] === null);
  const amount = (use: Use) => {
    // Training is offered only by a deliberate choice.
    const suggestion = isNew && use !== 'ai_training' ? suggested[use]?.middle_cents : undefined;
    const cents = photo[`price_${use}`] ?? suggestion ?? null;
    return cents === null ? '' : amountOf(cents);
  };
  return {
    price_social: amount('social'),
    price_web: amount('web'),
    price_ad: amount('ad'),
    ai_training: photo.price_ai_training === null ? '' : 'on',
    price_ai_training: amount('ai_training'),
    drop_cap: String(photo.drop_cap),
  };
}

function runningSection({ sold, drop_cap, ...photo }: ListedPhoto): Html {
  const soldOut = sold >= drop_cap;
  const prices = USES.flatMap((use) => {
    const base = photo[`price_${use}`];
    return base === null ? [] : [{ use, base }];
  });
  return card(
    'This drop',
    html`<p>
        ${sold} of ${drop_cap} licences are sold. After each one every price rises by 10%; you cannot change
        them before it ends.
      </p>
      ${table(
        {
          className: 'stack',
          columns: [
            'Use',
            { number: soldOut ? 'Last price' : 'Price now' },
            { number: 'First price' },
            { number: 'After one more' },
          ],
        },
        prices.map(
          ({ use, base }) =>
            html`<tr>
              <th scope="row">${USE_LABELS[use].label}</th>
              <td class="number" data-label="${soldOut ? 'last' : 'now'}">
                <strong>${usd(priceAfter(base, soldOut ? drop_cap - 1 : sold))}</strong>
              </td>
              <td class="number" data-label="at first">${usd(base)}</td>
              <td class="number" data-label="after one more">
                ${sold + 1 >= drop_cap ? '–' : usd(priceAfter(base, sold + 1))}
              </td>
            </tr>`,
        ),
      )}`,
  );
}
