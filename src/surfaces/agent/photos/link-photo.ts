import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { defineOperation } from '../../../core/operation.ts';
import { downloadLink } from '../../../licensing/download-link.ts';
import { certificateUrl, findLicence } from '../../../licensing/licence.ts';
import { findOfferedPhoto } from '../../../licensing/offered-photo.ts';
import { takeFromWindow } from '../../../metering/rate-window.ts';
import { agentOf } from '../account/calling-agent.ts';
import { DAY_MS } from '../../../core/time.ts';
import { agentWriteTool } from '../agent-tool.ts';

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
  example: {
    input: { license_id: 'lic_01kdtqb00071qz6sbs7e2vkqza' },
    output: {
      license_id: 'lic_01kdtqb00071qz6sbs7e2vkqza',
      url: 'https://waypost.example/photos/files/01kdtqb00071qz6sbs7e2vkqza.mhz3k9d2.Zm9yIHRoZSBleGFtcGxlIG9u',
      expires_at: '2026-11-14T12:15:00.000Z',
      filename: 'lic_01kdtqb00071qz6sbs7e2vkqza.jpg',
      content_type: 'image/jpeg',
      bytes: 2_481_733,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      certificate_url: 'https://waypost.example/licenses/lic_01kdtqb00071qz6sbs7e2vkqza',
    },
  },
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
