import { z } from 'zod';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { defineTask } from '../../jobs/task.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { createPartnerLink } from './partner-link.ts';
import { mailPartner } from './partner-mail.ts';
import { HOUR_MS } from '../../core/time.ts';

export const SIGN_IN_LINK_MINUTES = 30;
/** Prevents strangers from flooding a mailbox. */
const LINKS_PER_HOUR = 5;

/** The person who signed up may be somebody else, and has the key too. */
const FIRST_PROOF =
  'This mailbox is not verified yet; pressing the button verifies it. The key that was issued at sign-up then stops working, and a new one is shown to you.';

declare module '../../jobs/task.ts' {
  interface Payloads {
    send_partner_link: { email: string };
  }
}

/** Mails a sign-in link. A job, so that the response time does not reveal whether an account exists. */
export const sendPartnerLink = defineTask({
  kind: 'mail',
  payload: z.object({ email: z.string() }),
  run: ({ deps, inTransaction }, { email }) => inTransaction((tx) => mailLink(deps, tx, email)),
});

async function mailLink(deps: Deps, sql: Db, email: string): Promise<void> {
  const { clock, newId, config } = deps;
  const now = clock.now();
  const [partner] = await sql<{ id: string; name: string; email: string; proven: boolean }[]>`
    select id, name, email, email_verified_at is not null as proven from partner
    where email = ${email} and status <> 'revoked'`;
  if (partner === undefined) return;
  const limit = { name: `partner_links/${partner.id}`, max: LINKS_PER_HOUR, windowMs: HOUR_MS };
  if (!(await takeFromWindow(sql, limit, now)).allowed) return;
  const token = await createPartnerLink(sql, {
    partnerId: partner.id,
    purpose: 'sign_in',
    now,
    lifeMs: SIGN_IN_LINK_MINUTES * 60_000,
  });
  await mailPartner(
    { db: sql, config, newId, now, partner },
    {
      subject: `Sign in to ${config.serviceName}`,
      purpose: 'partner_sign_in',
      paragraphs: [
        `Open this page within ${SIGN_IN_LINK_MINUTES} minutes and press the button there to see your usage and limits:`,
        `${config.baseUrl}/partner/sign-in/${token}`,
        ...(partner.proven ? [] : [FIRST_PROOF]),
        'The link works once. If you did not ask for it, do nothing and do not share it.',
      ],
    },
  );
}
