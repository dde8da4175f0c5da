import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { findOfferedPhoto, requireLive } from '../../licensing/offered-photo.ts';
import { quoteOf, quoteSchema } from '../../licensing/quote.ts';
import { recordPriceViews } from '../../licensing/price-view.ts';
import { useSchema, useSet } from '../../licensing/use.ts';
import { joinLines, quoteUntrusted } from '../../core/text/tool-text.ts';
import { agentOf, agentReadTool, agentWriteTool } from './agent-tool.ts';
import { warningSchema, type Warning } from '../../core/input/warning.ts';
import { certificateUrl, findLicence, licenceSchema } from '../../licensing/licence.ts';
import { licensePhoto } from '../../licensing/license-photo.ts';
import { AppError } from '../../core/errors.ts';
import { downloadLink } from '../../licensing/download-link.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { DAY_MS } from '../../core/time.ts';
import examples from './examples.json' with { type: 'json' };

export const quotePhoto = defineOperation({
  name: 'quote_photo',
  title: 'Quote a photo',
  description:
    'Price and terms of one use of a photo. Nothing is charged or reserved: another buyer may raise the price.',
  tag: 'photos',
  ...agentReadTool,
  containsUntrustedText: false,
  rest: { method: 'GET', path: '/api/agent/photos/quote' },
  input: z.object({ photo_id: z.string().min(1).max(40).describe('From a photo search.'), use: useSchema }),
  output: quoteSchema,
  failures: ['photo_not_found', 'drop_ended', 'sold_out', 'use_not_offered'],
  example: examples.quote_photo,
  async run(ctx, { photo_id, use }) {
    const photo = requireLive(await findOfferedPhoto(ctx.db, photo_id), ctx.now);
    const quote = quoteOf(ctx, photo, use);
    ctx.note((tx) => recordPriceViews(tx, agentOf(ctx.actor), [photo], use, ctx.now));
    return quote;
  },
  summarize({ photo_id, use, price_cents, price_after_next_cents, drop, terms, valid_until }) {
    return joinLines(
      `${photo_id} for ${use}: ${price_cents} US cents now, ${price_after_next_cents} after the next licence; ${drop.left} left until ${drop.ends_at}. Not reserved; valid until ${valid_until}.`,
      `${terms.scope} Duration: ${terms.duration}. Not exclusive; the attribution must be shown.`,
      `To license it, send max_price_cents of ${price_cents} or more.`,
    );
  },
});

const NO_KEY: Warning = {
  code: 'idempotency_key_missing',
  pointer: '/idempotency_key',
  detail: 'Without it, repeating this call buys a second licence.',
};

export const licensePhotoForAgents = defineOperation({
  name: 'license_photo',
  title: 'License a photo',
  description:
    'Licenses one use of a photo and links the file. Spends wallet money, so it needs the API key itself. At most your maximum, and 50 USD per UTC day.',
  tag: 'photos',
  effect: 'spend',
  containsUntrustedText: true,
  acts: [],
  access: { who: 'agent', scope: 'write', keyOnly: true },
  rest: { method: 'POST', path: '/api/agent/photos/license', status: 201 },
  tools: ['agent'],
  input: z.object({
    photo_id: z.string().min(1).max(40).describe('From a photo search.'),
    use: useSet.bare.describe('As quoted.'),
    max_price_cents: z.int().min(1).max(10_000_000).describe('The most to pay, in US cents.'),
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
      .optional()
      .describe('A repeat returns the same licence.'),
  }),
  missing: { max_price_cents: 'max_price_required' },
  detectsRepetitions: true,
  output: licenceSchema.extend({ warnings: z.array(warningSchema) }),
  failures: [
    'insufficient_funds',
    'photo_not_found',
    'price_above_max',
    'price_moved',
    'daily_cap_exceeded',
    'drop_ended',
    'sold_out',
    'use_not_offered',
    'max_price_required',
    'write_burst',
  ],
  example: examples.license_photo,
  async run(ctx, { photo_id, use, max_price_cents, idempotency_key }) {
    const idempotencyKey = idempotency_key ?? ctx.idempotencyKey;
    const licence = await licensePhoto(ctx, agentOf(ctx.actor), {
      photoId: photo_id,
      use,
      maxPriceCents: max_price_cents,
      idempotencyKey,
    });
    return { ...licence, warnings: idempotencyKey === undefined ? [NO_KEY] : [] };
  },
  summarize(licence) {
    const { license_id, photo_id, use, price_cents, test, download, wallet, certificate_url } = licence;
    const paid = test ? `${price_cents} cents of test credit; no money moved` : `${price_cents} cents`;
    return joinLines(
      `${license_id}: ${photo_id} for ${use}, ${paid}.`,
      download === null ? 'It was refunded.' : `The file, until ${download.expires_at}: ${download.url}`,
      `Show beside it: ${quoteUntrusted(licence.attribution_line)}`,
      `Certificate: ${certificate_url}`,
      `Left in the wallet: ${wallet.balance_cents} cents, ${wallet.test_credit_cents} of test credit. Spent today: ${wallet.spent_today_cents} of ${wallet.cap_cents} cents.`,
    );
  },
});

const LINKS_PER_DAY = 10;

export const linkPhoto = defineOperation({
  name: 'link_photo',
  title: 'Link to a licensed photo',
  description: `A new link to the file of one of your licences, valid for 15 minutes; it supports range requests. At most ${LINKS_PER_DAY} per licence and UTC day.`,
  tag: 'photos',
  ...agentWriteTool,
  containsUntrustedText: false,
  acts: [],
  rest: { method: 'POST', path: '/api/agent/photos/link', status: 200 },
  tools: [],
  furtherTools: ['agent'],
  input: z.object({ license_id: z.string().min(1).max(40).describe('One of your licences.') }),
  output: z.object({
    license_id: z.string(),
    url: z.string(),
    expires_at: z.string(),
    filename: z.string(),
    content_type: z.literal('image/jpeg').describe('Every file is a JPEG.'),
    bytes: z.int(),
    sha256: z.string().describe('Of the file, in hex; the certificate shows the same.'),
    certificate_url: z.string(),
  }),
  failures: ['license_not_found', 'license_refunded', 'link_limit', 'idempotency_in_progress', 'write_burst'],
  example: examples.link_photo,
  async run(ctx, { license_id }) {
    const licence = await findLicence(ctx.db, { id: license_id });
    if (licence?.agent_id !== agentOf(ctx.actor))
      throw new AppError('license_not_found', 'You have no licence with this id.');
    if (licence.refunded_at !== null)
      throw new AppError(
        'license_refunded',
        'This licence was refunded, so its file is no longer available.',
      );
    const limit = { name: `photo-links/${licence.id}`, max: LINKS_PER_DAY, windowMs: DAY_MS };
    const result = await takeFromWindow(ctx.db, limit, ctx.now);
    if (!result.allowed)
      throw new AppError('link_limit', `${LINKS_PER_DAY} links were created for this licence today.`, {
        hint: 'Store the file after the download.',
        retryAfterSeconds: result.resetsInSeconds,
      });
    const photo = await findOfferedPhoto(ctx.db, licence.photo_id);
    ctx.audit(licence.id);
    return {
      license_id: licence.id,
      ...downloadLink(ctx.deps, licence.id, ctx.now),
      filename: `${licence.id}.jpg`,
      content_type: 'image/jpeg' as const,
      bytes: photo?.bytes ?? 0,
      sha256: licence.sha256.toString('hex'),
      certificate_url: certificateUrl(ctx.deps, licence.id),
    };
  },
  summarize: ({ license_id, url, expires_at }) =>
    `The file of ${license_id} is at ${url} until ${expires_at}.`,
});
