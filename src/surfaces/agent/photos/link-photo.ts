import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { defineOperation } from '../../../core/operation.ts';
import { downloadLink } from '../../../licensing/download-link.ts';
import { certificateUrl, findLicence } from '../../../licensing/licence.ts';
import { findOfferedPhoto } from '../../../licensing/offered-photo.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import { DAY_MS } from '../../../core/time.ts';
import { agentOf, agentWriteTool } from '../agent-tool.ts';
import examples from '../examples.json' with { type: 'json' };

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
