import { createHash } from 'node:crypto';
import EmailReplyParser from 'email-reply-parser';
import PostalMime, { type Email } from 'postal-mime';

export interface ReceivedMail {
  /** The same when the mail is delivered again. */
  id: string;
  recipients: string[];
  /** The words of the sender, without what the mail quotes and without its signature. */
  text: string;
  /** True for a mail that a program wrote: an absence note, a bounce, a list. */
  isAutomatic: boolean;
}

/** Replies are a few words. Longer texts are unclear in any case. */
const TEXT_MAX = 10_000;
const ENVELOPE_HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];
const LIST_PRECEDENCE = ['bulk', 'list', 'junk', 'auto_reply'];

/** Reads a mail as it came from the mail system, see RFC 5322. */
export async function readMail(raw: Buffer): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 20 });
  const text = (mail.text ?? textOf(mail.html ?? '')).slice(0, TEXT_MAX);
  return {
    id: createHash('sha256')
      .update(mail.messageId ?? raw)
      .digest('hex'),
    recipients: recipientsOf(mail),
    text: new EmailReplyParser().read(text).getVisibleText().trim(),
    isAutomatic: isAutomatic(mail),
  };
}

function headerOf({ headers }: Email, name: string): string | undefined {
  return headers
    .find(({ key }) => key === name)
    ?.value.trim()
    .toLowerCase();
}

function recipientsOf(mail: Email): string[] {
  const named = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap((one) => one.group ?? [one]);
  const envelope = mail.headers.filter(({ key }) => ENVELOPE_HEADERS.includes(key));
  return [
    ...named.map(({ address }) => address),
    ...envelope.map(({ value }) => value.trim().replace(/^<(.*)>$/, '$1')),
  ];
}

/** See RFC 3834. An answer to such a mail could be answered by the same program, without end. */
function isAutomatic(mail: Email): boolean {
  const submitted = headerOf(mail, 'auto-submitted');
  return (
    (submitted !== undefined && submitted !== 'no') ||
    LIST_PRECEDENCE.includes(headerOf(mail, 'precedence') ?? '') ||
    headerOf(mail, 'x-autoreply') !== undefined ||
    headerOf(mail, 'x-autorespond') !== undefined ||
    headerOf(mail, 'return-path') === '<>' ||
    (headerOf(mail, 'content-type') ?? '').startsWith('multipart/report')
  );
}

/** The text of a mail without a plain part. Quoted parts of it have their own element. */
function textOf(html: string): string {
  return html
    .replace(/<(style|script|head|blockquote)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<br\s*\/?>|<\/(p|div|li|tr)>/gi, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&');
}
