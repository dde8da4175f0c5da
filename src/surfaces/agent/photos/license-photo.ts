import { z } from 'zod';
import { warningSchema, type Warning } from '../../../core/input/warning.ts';
import { defineOperation } from '../../../core/operation.ts';
import { agentOf } from '../agent-tool.ts';
import { licenceSchema } from '../../../licensing/licence.ts';
import { licensePhoto } from '../../../licensing/license-photo.ts';
import { useSet } from '../../../licensing/use.ts';
import { quoteUntrusted, joinLines } from '../../../core/text/tool-text.ts';
import examples from '../examples.json' with { type: 'json' };

const input = z.object({
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
    'Licenses one use of a photo and links the file. Spends wallet money: needs the API key itself. Above your maximum: refused. At most 50 USD per UTC day.',
  tag: 'photos',
  effect: 'spend',
  containsUntrustedText: true,
  acts: [],
  access: { who: 'agent', scope: 'write', keyOnly: true },
  rest: { method: 'POST', path: '/api/agent/photos/license', status: 201 },
  tools: ['agent'],
  input,
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
