import { emailOption, printLine, UsageError, wholeNumber, type Options } from './command.ts';
import { addReviewAccount, REVIEW_DAYS_MAX, revokeReviewAccount } from '../accounts/review-account.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { commandFor, shellQuote } from '../core/installation.ts';
import { createNewId } from '../core/ids.ts';
import type { InTransaction, Pool } from '../core/postgres/db.ts';
import { loadSecrets } from '../core/secret/secrets.ts';
import { addSampleSubmission } from '../submissions/sample-submission.ts';

const DAYS_USUAL = 90;

/** `review-account add`: adds an account with a code that is not mailed, and a sample submission. */
export async function reviewAccountAdd(
  pool: Pool,
  inTransaction: InTransaction,
  options: Options,
): Promise<void> {
  const email = emailOption(options);
  const days = wholeNumber(options, 'days', DAYS_USUAL, REVIEW_DAYS_MAX);
  if (days === 0) throw new UsageError('--days must be at least 1.');
  const at = { secrets: await loadSecrets(pool), now: systemClock.now(), newId: createNewId(systemClock) };
  const account = await inTransaction(async (tx) => {
    const reviewAccount = await addReviewAccount(tx, at, { email, days });
    // The audit entry of the account covers its sample too.
    if (reviewAccount.added)
      await addSampleSubmission({ ...at, db: tx, audit: () => undefined }, reviewAccount.agentId);
    return reviewAccount;
  });
  printLine(`${email} is a review account until ${account.expiresAt.toISOString().slice(0, 10)}.`);
  printLine(`Code (shown only once): ${account.code}`);
  const config = loadConfig();
  const { baseUrl, partnerUrl } = config;
  printLine(`The reviewer connects a client to ${baseUrl}/mcp, ${partnerUrl}/api/partner/mcp or`);
  printLine(`${partnerUrl}/api/concierge/mcp, enters the address and then this code; no mail is sent.`);
  printLine(`For tables, switch bookings on for ${email} at ${baseUrl}/console/partners.`);
  const { command } = commandFor(config, `review-account revoke --email ${shellQuote(email)}`);
  printLine(`End it after the review: ${command}`);
}

/** `review-account revoke`: ends the code, the sign-ins and the connections at once. */
export async function reviewAccountRevoke(inTransaction: InTransaction, options: Options): Promise<void> {
  const email = emailOption(options);
  const at = { now: systemClock.now(), newId: createNewId(systemClock) };
  await inTransaction((tx) => revokeReviewAccount(tx, at, email));
  printLine(`The review account of ${email} has ended, with all its sign-ins and connections.`);
}
