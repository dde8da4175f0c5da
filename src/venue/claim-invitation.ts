import type { OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS, MINUTE_MS } from '../core/time.ts';
import { postMessage } from '../messages/post-message.ts';
import { takeFromWindows } from '../metering/rate-window.ts';
import type { Contact } from './contact.ts';

/** Maximum number of invitations per day to one contact; at most one per minute. */
const PER_DAY = 3;

interface Invitation {
  placeId: string;
  contact: Contact;
  /** Operator of the submission that caused the invitation; absent when the desk found the contact. */
  invitedBy?: { agent_name: string; operator_name: string };
}

/** Sends a venue a link to claim its listing, without a code. False when the contact's limit is used up. */
export async function inviteToClaim(
  { config, newId, clock }: OperationDeps,
  tx: Db,
  { placeId, contact, invitedBy }: Invitation,
): Promise<boolean> {
  const now = clock.now();
  const limitName = `claim_invitation/${contact.to}`;
  const limits = [
    { name: `${limitName}/minute`, max: 1, windowMs: MINUTE_MS },
    { name: limitName, max: PER_DAY, windowMs: DAY_MS },
  ];
  const windows = await takeFromWindows(tx, limits, now);
  if (windows.some((window) => window?.allowed !== true)) return false;
  const { serviceName, baseUrl } = config;
  const [place] = await tx<{ name: string }[]>`select name from place where id = ${placeId}`;
  const listing = place?.name ?? 'your place';
  const why =
    invitedBy === undefined
      ? `${listing} is listed on ${serviceName}, and our desk found this contact on a page of yours.`
      : `${invitedBy.operator_name} (agent: ${invitedBy.agent_name}) submitted ${listing} to ${serviceName} and claims to be its owner. The listing is now on ${serviceName}.`;
  const then =
    invitedBy === undefined
      ? 'You then look after the listing: hours, menu, description, booking and photo.'
      : `You then see what was submitted in your name, and decide whether ${invitedBy.operator_name} acts for you.`;
  const text = [
    why,
    `To claim it as yours, open this page and press "Send me a code": ${baseUrl}/venue/claim/${placeId}\nThe code comes to this contact. ${then}`,
    'If this is not your place, do nothing.',
  ].join('\n\n');
  const subject = `${serviceName}: claim ${listing}`;
  const message = { ...contact, subject, text, purpose: 'claim_invitation', subject_id: placeId } as const;
  await postMessage(tx, { newId, now }, message);
  return true;
}
