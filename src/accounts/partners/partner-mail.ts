import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { NewId } from '../../core/ids.ts';
import { postMessage } from '../../messages/post-message.ts';

export interface PartnerMail {
  db: Db;
  config: Deps['config'];
  newId: NewId;
  now: Date;
  partner: { id: string; name: string; email: string };
}

export async function mailPartner(
  mail: PartnerMail,
  letter: { subject: string; purpose: string; paragraphs: readonly string[] },
): Promise<void> {
  const { config, partner } = mail;
  const text = [
    ...letter.paragraphs,
    `This is about the partner account of ${partner.name} at ${config.serviceName}. If you have questions, write to ${config.contactEmail}.`,
  ].join('\n\n');
  const { subject, purpose } = letter;
  await postMessage(mail.db, mail, {
    channel: 'mail',
    to: partner.email,
    subject,
    text,
    purpose,
    subject_id: partner.id,
  });
}

export function mailKey(mail: PartnerMail, apiKey: string, replaced: boolean): Promise<void> {
  const { serviceName, baseUrl, partnerUrl } = mail.config;
  return mailPartner(mail, {
    subject: replaced ? `Your new ${serviceName} partner key` : `Your ${serviceName} partner key`,
    purpose: 'partner_key',
    paragraphs: [
      replaced
        ? 'Your partner key was replaced by a call that used the old key. The old key no longer works. The new key:'
        : 'Here is your partner key:',
      apiKey,
      `Send it as X-Partner-Key with every call to ${partnerUrl}/api/partner/mcp. We store only a hash of it and cannot show it again.`,
      `Your usage and limits: ${baseUrl}/partner`,
      ...(replaced
        ? []
        : [
            'The person who signed up with this address also has this key. Sign in there once to verify that the mailbox is yours: this key then stops working, and a new one is shown only to you. Table requests can be switched on only after that.',
          ]),
    ],
  });
}

const IF_LOST = 'If you lose it, sign up again with the same address, and a new key is mailed to you.';
const NEXT_KEY = {
  link: `The new key was shown to you when you signed in. Put it into your product; it stays valid, however often you sign in. ${IF_LOST}`,
  mailed_key: `The key that was mailed to you is now the only key of the account. It stays valid, however often you sign in. ${IF_LOST}`,
  connection:
    'The client that you have just connected needs no key. If one of your programs needs one, sign up again with the same address, and a new key is mailed to you.',
};

/** Mails the owner of a mailbox after its first proof has revoked the earlier key. */
export function mailEndedKey(
  mail: PartnerMail,
  endedKey: string,
  proof: keyof typeof NEXT_KEY,
): Promise<void> {
  return mailPartner(mail, {
    subject: `Your earlier ${mail.config.serviceName} partner key no longer works`,
    purpose: 'partner_key_ended',
    paragraphs: [
      `You have verified that this mailbox is yours. The key ${endedKey}…, which was issued to the person who signed up with your address, no longer works: every call with it is refused from now on. A webhook that was set with it was removed too.`,
      NEXT_KEY[proof],
    ],
  });
}

/** Mails a key that was requested without the old one. It changes nothing until it is used. */
export function mailPendingKey(
  mail: PartnerMail,
  { apiKey, token, days }: { apiKey: string; token: string; days: number },
): Promise<void> {
  const { serviceName, baseUrl } = mail.config;
  return mailPartner(mail, {
    subject: `A new ${serviceName} partner key`,
    purpose: 'partner_key',
    paragraphs: [
      'Somebody signed up again with this address, so a new partner key was created. It was sent to this mailbox only:',
      apiKey,
      `If it was you: your old key works until the new one is first used, which must be within ${days} days. To stop the old key earlier, open this page and press the button there:`,
      `${baseUrl}/partner/key/${token}`,
      'If it was not you, do nothing: your old key stays as it is, and nobody but you has seen the new one.',
    ],
  });
}

export function mailClosed(mail: PartnerMail): Promise<void> {
  return mailPartner(mail, {
    subject: `Your ${mail.config.serviceName} partner account is closed`,
    purpose: 'partner_closed',
    paragraphs: [
      'Somebody signed up again with this address. We have closed this account, so no key was created.',
    ],
  });
}

/** Masks an address for display to a requester who may not own it: `p***@travel.example`. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}
