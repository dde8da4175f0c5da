import { escapeHtml } from '../core/text/html.ts';

/** What is said on a call. Everything that stands in it is escaped, because names of venues and guests are data. */
export function twiml(...parts: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${parts.join('')}</Response>`;
}

/** Says something in a language that the provider has a voice for, such as de-DE. */
export function say(text: string, voice: string): string {
  return `<Say language="${escapeHtml(voice)}">${escapeHtml(text)}</Say>`;
}

export function pause(seconds: number): string {
  return `<Pause length="${seconds}"/>`;
}

/** Says something and takes one key; without a key the call goes on with what follows. */
export function gather(actionUrl: string, text: string, voice: string): string {
  return `<Gather input="dtmf" numDigits="1" timeout="8" method="POST" action="${escapeHtml(actionUrl)}">${say(text, voice)}</Gather>`;
}

export function hangUp(): string {
  return '<Hangup/>';
}
