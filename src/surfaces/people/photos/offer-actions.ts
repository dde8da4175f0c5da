import { z } from 'zod';
import type { Member } from '../../../members/member.ts';
import { goLive } from '../../../photos/drop.ts';
import { captionPhoto, offerPhoto } from '../../../photos/offer-photo.ts';
import { CAPTION_MAX, DROP_CAP_MAX, movePhoto, PRICE_MAX_CENTS } from '../../../photos/photo.ts';
import { sumSchema } from '../form/read-fields.ts';
import { conflict, refuse, type Action } from '../person/action.ts';
import { member } from '../person/people.ts';
import { ownPhoto, sendOfferPage } from './offer-page.ts';

const price = sumSchema(1, PRICE_MAX_CENTS).nullable();
const PRICES = ['price_social', 'price_web', 'price_ad', 'price_ai_training'];
const offerSchema = z.object({
  price_social: price,
  price_web: price,
  price_ad: price,
  price_ai_training: price,
  drop_cap: z.int().min(1).max(DROP_CAP_MAX),
});

const offer: Action<Member, typeof offerSchema> = {
  name: 'offer_photo',
  path: '/photos/mine/:id/offer',
  who: member,
  form: offerSchema,
  numbers: ['drop_cap'],
  money: PRICES,
  async run(act, { price_social, price_web, price_ad, price_ai_training, drop_cap }) {
    const { id } = await ownPhoto(act.db, act);
    const forTraining = act.form.get('ai_training') === 'on';
    if (forTraining && price_ai_training === null)
      refuse({ faults: { price_ai_training: 'Set a price, or switch AI training off.' } });
    const prices = {
      social: price_social,
      web: price_web,
      ad: price_ad,
      ai_training: forTraining ? price_ai_training : null,
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
    return { to: `/photos/mine/${id}?done=offer` };
  },
  page: sendOfferPage,
};

const GONE = 'This photo is no longer offered. Nothing was changed.';
const LIVE_REFUSALS = {
  running: 'The drop is already running.',
  not_approved: 'A person has to approve the photo first. Nothing was changed.',
  no_price: 'Set a price for at least one use first.',
  no_place: 'The place of this photo is no longer in the directory, so it cannot be offered.',
} as const;

const start: Action<Member> = {
  name: 'start_drop',
  path: '/photos/mine/:id/live',
  who: member,
  async run(act) {
    const photo = await ownPhoto(act.db, act);
    const outcome = await goLive(act.db, act.now, photo);
    if (outcome !== 'live') conflict(LIVE_REFUSALS[outcome]);
    act.audit(photo.id, { drop_number: photo.drop_number + 1, drop_cap: photo.drop_cap });
    return { to: `/photos/mine/${photo.id}?done=live` };
  },
  page: sendOfferPage,
};

const caption: Action<Member> = {
  name: 'caption_photo',
  path: '/photos/mine/:id/caption',
  who: member,
  async run(act) {
    const { id } = await ownPhoto(act.db, act);
    const text = (act.form.get('caption') ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
    if (text.length > CAPTION_MAX)
      refuse({ faults: { caption: `This must be at most ${CAPTION_MAX} characters.` } });
    if (!(await captionPhoto(act.db, id, text, act.now)))
      conflict(
        'The photo was checked together with its caption, which can no longer change. Nothing was changed.',
      );
    act.audit(id);
    return { to: `/photos/mine/${id}?done=caption` };
  },
  page: sendOfferPage,
};

const withdraw: Action<Member> = {
  name: 'withdraw_photo',
  path: '/photos/mine/:id/withdraw',
  who: member,
  async run(act) {
    const { id } = await ownPhoto(act.db, act);
    const move = { to: 'withdrawn', by: 'photographer', now: act.now } as const;
    if (!(await movePhoto(act.db, id, move))) conflict(GONE);
    act.audit(id);
    return { to: '/photos/mine?done=withdrawn' };
  },
  page: sendOfferPage,
};

/** Actions of a photographer on one photo. */
export const OFFER_ACTIONS = [offer, start, caption, withdraw] as const;
