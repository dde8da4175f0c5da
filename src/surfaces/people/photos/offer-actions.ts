import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { transactionsOf } from '../../../core/postgres/db.ts';
import { goLive } from '../../../photos/drop.ts';
import { captionPhoto, offerPhoto } from '../../../photos/offer-photo.ts';
import { CAPTION_MAX, DROP_CAP_MAX, movePhoto, PRICE_MAX_CENTS } from '../../../photos/photo.ts';
import { readFields } from '../form/read-fields.ts';
import { ownPhoto, sendOfferPage } from './offer-page.ts';
import type { PhotographerVisit } from './photographer-route.ts';

const price = z.int().min(1).max(PRICE_MAX_CENTS).nullable();
const offerSchema = z.object({
  price_social: price,
  price_web: price,
  price_ad: price,
  price_ai_training: price,
  drop_cap: z.int().min(1).max(DROP_CAP_MAX),
});

export async function saveOffer(visit: PhotographerVisit): Promise<FastifyReply> {
  const photo = await ownPhoto(visit);
  const read = readFields(visit.form, offerSchema, Object.keys(offerSchema.shape));
  if (!read.ok) return sendOfferPage(visit, { status: 422, faults: read.faults });
  const { price_social, price_web, price_ad, price_ai_training, drop_cap } = read.values;
  const forTraining = visit.form.get('ai_training') === 'on';
  if (forTraining && price_ai_training === null)
    return sendOfferPage(visit, {
      status: 422,
      faults: { price_ai_training: 'Set a price, or switch AI training off.' },
    });
  const outcome = await offerPhoto(visit.deps, photo.id, {
    prices: {
      social: price_social,
      web: price_web,
      ad: price_ad,
      ai_training: forTraining ? price_ai_training : null,
    },
    dropCap: drop_cap,
  });
  if (outcome === 'saved') return visit.reply.redirect(`/photos/mine/${photo.id}?done=offer`, 303);
  const text =
    outcome === 'live'
      ? 'A drop runs: its prices and its size stand still until it ends. Nothing was changed.'
      : 'This photo is not offered any more. Nothing was changed.';
  return sendConflict(visit, text);
}

const LIVE_REFUSALS = {
  running: 'The drop runs already.',
  not_approved: 'A person has to approve the photo first. Nothing was changed.',
  no_price: 'Set a price for at least one use first.',
  no_place: 'The place of this photo is no longer in the directory, so it cannot be offered.',
} as const;

export async function startDrop(visit: PhotographerVisit): Promise<FastifyReply> {
  const photo = await ownPhoto(visit);
  const outcome = await transactionsOf(visit.deps.pool)((tx) => goLive(tx, visit.now, photo));
  if (outcome === 'live') return visit.reply.redirect(`/photos/mine/${photo.id}?done=live`, 303);
  return sendConflict(visit, LIVE_REFUSALS[outcome]);
}

export async function saveCaption(visit: PhotographerVisit): Promise<FastifyReply> {
  const photo = await ownPhoto(visit);
  const caption = (visit.form.get('caption') ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
  if (caption.length > CAPTION_MAX)
    return sendOfferPage(visit, {
      status: 422,
      faults: { caption: `This must be at most ${CAPTION_MAX} characters.` },
    });
  if (await captionPhoto(visit.deps, photo.id, caption))
    return visit.reply.redirect(`/photos/mine/${photo.id}?done=caption`, 303);
  return sendConflict(
    visit,
    'The photo has been checked with its caption, which stands now. Nothing was changed.',
  );
}

export async function withdraw(visit: PhotographerVisit): Promise<FastifyReply> {
  const photo = await ownPhoto(visit);
  const move = { to: 'withdrawn', by: 'photographer', now: visit.now } as const;
  if (await movePhoto(visit.deps.pool, photo.id, move))
    return visit.reply.redirect('/photos/mine?done=withdrawn', 303);
  return sendConflict(visit, 'This photo is not offered any more. Nothing was changed.');
}

/** The same page, with what kept it from being done. */
function sendConflict(visit: PhotographerVisit, text: string): Promise<FastifyReply> {
  return sendOfferPage(visit, { status: 409, notice: { kind: 'bad', text } });
}
